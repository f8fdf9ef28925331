"""The paired difference of verdicts before and after, its test, and what panels agree on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

from analysis.measures import distribution, homogeneity
from analysis.measures.homogeneity import stuart_maxwell
from tests.analysis.counting import coursed, two_seats
from tests.analysis.synthetic import Debate

pytestmark = pytest.mark.long


def cases(*debates: tuple[str, ...]) -> list[Debate]:
    """A debate of two seats for each, each of its own case."""
    return [
        replace(two_seats(*rounds), id=f"d{place}", case=f"case {place}")
        for place, rounds in enumerate(debates)
    ]


FOUR = cases(("NY", "YY"), ("NY", "NN"), ("NN",), ("YN", "?Y", "YN"))


def of_alpha(found: pd.DataFrame, verdict: str) -> pd.Series[float]:
    return found[(found["model"] == "alpha") & (found["verdict"] == verdict)].iloc[0]


def test_difference_of_shares_before_and_after() -> None:
    """alpha says N, N, N, Y first and Y, N, N, Y last."""
    row = of_alpha(distribution.shift(coursed(FOUR)), "NTA")
    assert (row["value"], row["against"]) == ("last round", "round 1")
    assert (row["numerator"], row["against_numerator"], row["denominator"]) == (2, 3, 4)
    assert (row["estimate"], row["gained"], row["lost"], row["p"]) == (-0.25, 0, 1, 1)
    assert row["low"] < row["estimate"] < row["high"]


def test_a_seat_unreadable_at_either_time_has_no_difference() -> None:
    debates = cases(("NY", "??"), ("?Y", "NN"), ("NY", "YY"))
    row = of_alpha(distribution.shift(coursed(debates)), "YTA")
    assert (row["cases"], row["unreadable"], row["estimate"]) == (1, 2, 1)
    last = of_alpha(distribution.shift(coursed(debates), after="last readable"), "YTA")
    assert (last["cases"], last["unreadable"], last["estimate"]) == (2, 1, 0.5)


def test_a_verdict_never_used_has_a_row_of_zeros() -> None:
    row = of_alpha(distribution.shift(coursed(FOUR)), "INFO")
    assert (row["estimate"], row["low"], row["high"], row["p"]) == (0, 0, 0, 1)
    assert pd.isna(row["relative"])


def test_another_time_is_refused() -> None:
    with pytest.raises(ValueError, match="last round or last readable"):
        distribution.shift(coursed(FOUR), after="round 2")


def test_stuart_maxwell_of_two_verdicts_is_mcnemar_without_correction() -> None:
    statistic, df, p = stuart_maxwell(np.array([[20, 12], [5, 20]]))
    assert (statistic, df) == (pytest.approx(49 / 17), 1)
    assert p == pytest.approx(chi2.sf(49 / 17, 1))


def test_stuart_maxwell_does_not_depend_on_verdicts_that_nobody_gave() -> None:
    table = np.array([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    wide = np.zeros((5, 5), int)
    wide[np.ix_([0, 2, 4], [0, 2, 4])] = table
    assert stuart_maxwell(wide) == pytest.approx(stuart_maxwell(table))
    assert stuart_maxwell(table)[1] == 2


def test_moves_that_do_not_meet_are_tests_of_their_own() -> None:
    apart = np.zeros((4, 4), int)
    apart[0, 1], apart[1, 0], apart[2, 3], apart[3, 2] = 12, 5, 9, 1
    statistic, df, _ = stuart_maxwell(apart)
    assert (statistic, df) == (pytest.approx(49 / 17 + 64 / 10), 2)


def test_where_no_verdict_moved_there_is_no_test() -> None:
    found = homogeneity.estimate(coursed(cases(("NN",), ("YY",))))
    assert found["estimate"].tolist() == [0, 0]
    assert found["p"].isna().all()
    assert found["test"].tolist() == ["", ""]


def test_share_of_seats_that_moved_with_its_test() -> None:
    row = homogeneity.estimate(coursed(FOUR)).set_index("model").loc["alpha"]
    assert (row["numerator"], row["denominator"], row["unreadable"]) == (1, 4, 0)
    assert (row["statistic"], row["df"], row["test"]) == (1, 1, homogeneity.STUART_MAXWELL)


def test_what_panels_agree_on() -> None:
    found = distribution.agreed(coursed(FOUR)).set_index("verdict")
    assert found["numerator"].tolist() == [2, 1, 0, 0, 0]
    assert found.loc["NTA", "denominator"] == 3
    assert found.loc["NTA", "unreadable"] == 1


def test_a_consensus_that_nobody_could_read_is_of_no_verdict() -> None:
    unread = coursed(cases(("??",), ("N?",)))
    found = distribution.agreed(unread, "worst").set_index("verdict")
    assert (found.loc["NTA", "numerator"], found.loc["NTA", "denominator"]) == (1, 1)
    nothing = distribution.agreed(unread)
    assert nothing["estimate"].isna().all()
    assert set(nothing["reason"]) == {distribution.NO_CONSENSUS}
