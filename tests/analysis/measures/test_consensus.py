"""Consensus by round against a plain count over the debates themselves."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

from analysis.measures import consensus
from analysis.outcomes import Missing
from analysis.tally import CONDITION
from tests.analysis.counting import cells, coursed, said, share_of, two_seats
from tests.analysis.synthetic import Debate, draw

pytestmark = pytest.mark.long


def first_round(debate: Debate, missing: Missing) -> int | None:
    """The first round with consensus, by reading the definition aloud."""
    for number, turns in enumerate(debate.said, start=1):
        labels = [turn.label for turn in turns]
        readable = {label for label in labels if label is not None}
        if len(readable) <= 1 and (missing == "worst" or None not in labels):
            return number
    return None


def unreadable(debate: Debate) -> bool:
    return any(turn.label is None for turns in debate.said for turn in turns)


@pytest.mark.parametrize("missing", get_args(Missing))
@pytest.mark.parametrize("seed", range(4))
def test_equals_the_plain_count(missing: Missing, seed: int) -> None:
    debates = draw(seed, 150)
    found = consensus.estimate(coursed(debates), missing)
    panels = [debate for debate in debates if len(debate.models) >= 2]
    assert set(cells(found)) == {debate.cell for debate in panels}
    for cell, rows in cells(found).items():
        here = [debate for debate in panels if debate.cell == cell]
        played = [debate for debate in here if not debate.error]
        counted = [debate for debate in played if missing != "exclude" or not unreadable(debate)]
        firsts = [first_round(debate, missing) for debate in counted]
        longest = max((len(debate.said) for debate in played), default=0)
        assert [None if pd.isna(r) else r for r in rows["round"]] == [*range(1, longest + 1), None]
        for row in rows.itertuples():
            outcome = None if pd.isna(row.round) else row.round
            assert (row.numerator, row.denominator) == (firsts.count(outcome), len(counted))
            assert share_of(row) == (firsts.count(outcome) / len(counted) if counted else None)
            assert row.unreadable == sum(map(unreadable, played))
            assert row.failed == len(here) - len(played)
        assert rows["numerator"].sum() == len(counted), "every debate counts once"


def outcomes(*rounds: str, missing: Missing = "disagree") -> dict[int | None, int]:
    """Of one debate: the count under each round; a word per round, a verdict's first letter or '?'."""
    models = ("alpha", "beta", "gamma", "delta", "alpha")[: len(rounds[0])]
    debate = Debate("d", "synchronous", models, "1-2", "default", said(*rounds))
    found = consensus.estimate(coursed([debate]), missing)
    labels = [None if pd.isna(number) else number for number in found["round"]]
    return dict(zip(labels, found["numerator"], strict=True))


def test_two_to_one_is_no_consensus() -> None:
    assert outcomes("NNY") == {1: 0, None: 1}


def test_two_unreadable_turns_never_agree() -> None:
    assert outcomes("??") == {1: 0, None: 1}
    assert outcomes("N?", "NN") == {1: 0, 2: 1, None: 0}


def test_consensus_exactly_in_the_last_round_counts() -> None:
    assert outcomes("NY", "YN", "NY", "YY") == {1: 0, 2: 0, 3: 0, 4: 1, None: 0}


def test_the_first_consensus_counts_where_the_debate_went_on() -> None:
    assert outcomes("NY", "NN", "NY", "YY") == {1: 0, 2: 1, 3: 0, 4: 0, None: 0}


def test_worst_takes_unreadable_turns_for_agreeing() -> None:
    assert outcomes("NY", "N?", "NN", missing="worst") == {1: 0, 2: 1, 3: 0, None: 0}
    assert outcomes("NY?", "???", missing="worst") == {1: 0, 2: 1, None: 0}


def test_exclude_of_all_debates_leaves_null_and_not_zero() -> None:
    found = consensus.estimate(coursed([two_seats("N?", "NN")]), "exclude")
    assert found["denominator"].eq(0).all()
    assert found[["estimate", "low", "high", "wilson_low"]].isna().all(axis=None)


@pytest.mark.parametrize("seed", range(3))
def test_disagree_and_worst_bound_the_consensus_of_readable_turns(seed: int) -> None:
    """Whatever the unreadable turns would have said, consensus so far lies between the two."""
    debates = [
        debate for debate in draw(seed, 100, unreadable=0.3) if len(debate.models) >= 2 and not debate.error
    ]
    for verdict in ("NTA", "ESH"):
        for debate in debates:
            filled = debate.filled(verdict)
            reached = {
                name: first_round(one, missing) or 99
                for name, one, missing in (
                    ("least", debate, "disagree"),
                    ("true", filled, "disagree"),
                    ("most", debate, "worst"),
                )
            }
            assert reached["most"] <= reached["true"] <= reached["least"]


@pytest.mark.parametrize("missing", get_args(Missing))
def test_outcomes_are_sums_of_rounds_and_sum_to_one(missing: Missing) -> None:
    courses = coursed(draw(9, 150))
    by_round, derived = consensus.estimate(courses, missing), consensus.derived(courses, missing)
    for found in (by_round, derived):
        counted = found[found["denominator"] > 0]
        assert np.allclose(counted.groupby(list(CONDITION))["estimate"].sum(), 1)
    number = by_round["round"].fillna(0).to_numpy(int)
    kind = np.select([number == 0, number == 1], ["never", "round 1"], "later")
    sums = by_round.assign(outcome=kind).groupby([*CONDITION, "outcome"])["numerator"].sum()
    pd.testing.assert_series_equal(
        sums, derived.groupby([*CONDITION, "outcome"])["numerator"].sum().loc[sums.index]
    )


def test_a_condition_of_which_all_debates_failed_has_rows_without_estimate() -> None:
    failed = Debate("f", "synchronous", ("alpha", "beta"), "1-2", "default", error="Timeout")
    found = consensus.derived(coursed([failed]))
    assert found["reason"].tolist() == 3 * [consensus.EMPTY]
    assert found["failed"].tolist() == [1, 1, 1]


def test_an_unknown_reading_of_unreadable_turns_is_refused() -> None:
    with pytest.raises(ValueError, match="disagree, exclude, worst"):
        consensus.estimate(coursed([]), "agree")  # type: ignore[arg-type]
