"""Inertia from the order of verdicts within a conversation."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.causal.arrangements import readable_runs, stays, ways
from analysis.causal.within import within
from tests.analysis.causal.hand import codes, reasked


def enumerated(run: tuple[int, ...]) -> dict[int, int]:
    """How many distinct orders of what is between the ends stay how often, one by one."""
    orders = {(run[0], *between, run[-1]) for between in permutations(run[1:-1])}
    return dict(Counter(sum(a == b for a, b in pairwise(one)) for one in orders))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=8))
def test_ways_are_those_of_all_orders(run: list[int]) -> None:
    found = ways(np.array(run))
    assert {stay: int(count) for stay, count in enumerate(found) if count} == enumerated(tuple(run))


def test_ways_by_hand() -> None:
    """Between A and B stand an A and a B: AABB stays twice, ABAB never."""
    assert ways(codes("ABAB")).tolist()[:3] == [1, 0, 1]
    assert stays(codes("AABB")) == 2


def test_unreadable_verdicts_cut_a_conversation() -> None:
    runs = readable_runs(np.stack([codes("AB?CDE"), codes("??A?BB")]))
    assert [(row, run.tolist()) for row, run in runs] == [(0, [0, 1]), (0, [2, 3, 4]), (1, [0]), (1, [1, 1])]


def test_inertia_by_hand() -> None:
    """AABB against ABAB is a matter of two stays: 3 to 1, so exp(2 alpha) = 3."""
    found = within(reasked("AABB", "AABB", "CCDD", "EDED"))
    assert found.alpha == pytest.approx(np.log(3) / 2)
    # Each of four cases leaves +-2 * .25 or .75; information is 4 * 4 * .75 * .25.
    left = np.array([0.5, 0.5, 0.5, -1.5])
    assert found.se == pytest.approx(np.sqrt((left**2).sum() * 4 / 3) / 3)
    assert (found.informative, found.runs, found.cases) == (4, 4, 4)


def test_what_tells_nothing_changes_nothing() -> None:
    """A conversation that never changes, or whose orders all stay as often, is no evidence."""
    some = within(reasked("AABB", "ABAB", "AABB"))
    more = within(reasked("AABB", "ABAB", "AABB", "AAAA", "AABA", "ABCA"))
    assert (more.alpha, more.informative, more.runs) == (some.alpha, 3, 6)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["ABA", "AAB"], "no conversation has 4 readable verdicts in a row"),
        (["AB?BA", "BA?AA"], "no conversation has 4 readable verdicts in a row"),
        (["AAAA", "BBBB"], "too few conversations"),
        (["AABB", "CCDD"], "every conversation stays as often as it can"),
        (["ABAB", "CDCD"], "or as little"),
    ],
)
def test_without_evidence_there_is_a_reason(words: list[str], reason: str) -> None:
    found = within(reasked(*words))
    assert np.isnan(found.alpha)
    assert reason in found.reason
