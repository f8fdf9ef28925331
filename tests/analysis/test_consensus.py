"""Consensus by round against a plain count over the debates themselves."""

from __future__ import annotations

from typing import get_args

import pandas as pd
import pytest

from analysis import consensus
from tests.analysis.counting import cells, said, share_of, tallied, two_seats
from tests.analysis.synthetic import Debate, draw


def first_round(debate: Debate, missing: consensus.Missing) -> int | None:
    """The first round with consensus, by reading the definition aloud."""
    for number, turns in enumerate(debate.said, start=1):
        labels = [turn.label for turn in turns]
        readable = {label for label in labels if label is not None}
        if len(readable) <= 1 and (missing == "worst" or None not in labels):
            return number
    return None


def unreadable(debate: Debate) -> bool:
    return any(turn.label is None for turns in debate.said for turn in turns)


@pytest.mark.parametrize("missing", get_args(consensus.Missing))
@pytest.mark.parametrize("seed", range(4))
def test_equals_the_plain_count(missing: consensus.Missing, seed: int) -> None:
    debates = draw(seed, 150)
    found = consensus.estimate(tallied(debates, "turns", "failures"), missing)
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
            assert (row.count, row.n) == (firsts.count(outcome), len(counted))
            assert share_of(row) == (firsts.count(outcome) / len(counted) if counted else None)
            assert row.unreadable == sum(map(unreadable, played))
            assert row.failed == len(here) - len(played)
        assert rows["count"].sum() == len(counted), "every debate counts once"


def outcomes(*rounds: str, missing: consensus.Missing = "disagree") -> dict[int | None, int]:
    """Of one debate: the count under each round; a word per round, a verdict's first letter or '?'."""
    models = ("alpha", "beta", "gamma", "delta", "alpha")[: len(rounds[0])]
    debate = Debate("d", "synchronous", models, "1-2", "default", said(*rounds))
    found = consensus.estimate(tallied([debate], "turns", "failures"), missing)
    labels = [None if pd.isna(number) else number for number in found["round"]]
    return dict(zip(labels, found["count"], strict=True))


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
    found = consensus.estimate(tallied([two_seats("N?", "NN")], "turns", "failures"), "exclude")
    assert found["n"].eq(0).all()
    assert found[["share", "low", "high"]].isna().all(axis=None)


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


def test_an_unknown_reading_of_unreadable_turns_is_refused() -> None:
    with pytest.raises(ValueError, match="disagree, exclude, worst"):
        consensus.estimate(tallied([], "turns", "failures"), "agree")  # type: ignore[arg-type]
