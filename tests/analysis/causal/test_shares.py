"""Shares of the arms and their differences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.causal.kept import kept
from analysis.causal.planted import conformity, redrawn
from tests.analysis.causal.hand import planted, reasked


def test_kept_against_other_conversations_by_hand() -> None:
    """Case 0: AAB and ABB keep one of two each; across, A|B, B|B, A|A, B|A: A-A, A-B... counted below."""
    found = kept(reasked("AAB", "ABB", "CCC", "CC?", cases=[0, 0, 1, 1]))
    # Own: AA, BB keep and AB, AB do not; CC, CC and CC keep, C? is not counted.
    assert (found.numerator[0], found.denominator[0]) == (2 + 3, 4 + 3)
    # Across in case 0: first A to the other's second: A-B no, A-A yes; second to third: A-B no, B-B yes.
    # In case 1: C-C twice; second to third: the first's C has no other, the second's C has the first's C.
    assert (found.numerator[1], found.denominator[1]) == (2 + 3, 4 + 3)
    assert found.estimate.tolist() == pytest.approx([5 / 7, 5 / 7, 0])
    assert found.cases == 2


def test_seats_of_one_debate_are_not_compared() -> None:
    """Of three conversations on a case two are of one debate: each is compared with the third alone."""
    found = kept(reasked("AA", "AA", "BA", cases=[0, 0, 0], debates=[1, 1, 2]))
    assert (found.numerator, found.denominator) == ((2, 2), (3, 4))


def test_one_conversation_a_case_has_nothing_to_compare_with() -> None:
    found = kept(reasked("AAB", "ABB"))
    assert found.denominator == (4, 0)
    assert np.isnan(found.estimate[2])
    assert found.estimate[0] == 0.5


def test_conformity_by_hand() -> None:
    """Two of four give what was planted; the other two one of the four labels that were not."""
    found = conformity(planted("ABCD", "ABDC")).shares
    assert (found.numerator, found.denominator) == ((2, 2), (4, 16))
    assert found.estimate.tolist() == [0.5, 0.125, 0.375]


def test_unreadable_verdicts_are_left_out() -> None:
    assert conformity(planted("AB?", "AAA")).shares.denominator == (2, 8)


def test_drawing_again_is_the_binomial_test() -> None:
    """Where each verdict has a drawing of its own, hits are binomial if nothing depends on them."""
    said, drawn = "A" * 20, "A" * 9 + "B" * 11
    exact = stats.binom(20, 1 / 5)
    away = [hits for hits in range(21) if abs(hits - 4) >= 5]
    assert redrawn(planted(said, drawn)) == pytest.approx(sum(map(exact.pmf, away)), abs=0.006)


def test_what_is_drawn_at_once_is_drawn_anew_at_once() -> None:
    """Six verdicts after one drawing are one piece of evidence, not six."""
    arm = planted("AAAAAA", "AAAAAA")
    together = type(arm)(**{**{name: getattr(arm, name) for name in arm.__slots__}, "draw": np.zeros(6, int)})
    assert redrawn(arm) < 0.01
    assert redrawn(together) == pytest.approx(1 / 5, abs=0.02)
