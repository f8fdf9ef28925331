"""Change of verdict against a plain count over the debates themselves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd
import pytest

from analysis import change
from analysis.tally import CONDITION
from tests.analysis.counting import tallied, two_seats
from tests.analysis.synthetic import Debate, draw


def labels(debate: Debate, seat: int) -> list[str | None]:
    return [turns[seat].label for turns in debate.said]


def changed(own: list[str | None]) -> bool:
    return any(label is not None and label != own[0] for label in own[1:])


def ended(own: list[str | None]) -> bool:
    return [label for label in own if label is not None][-1] != own[0]


def disagreed(debate: Debate) -> bool:
    return len({turn.label for turn in debate.said[0]} - {None}) > 1


def plain(debates: list[Debate]) -> Counter[tuple[Any, ...]]:
    """Counts by (cell, level, model, seat, among, event), as the definition says it."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for debate in debates:
        for among in ["all", *(["disagreed"] if disagreed(debate) else [])]:
            seats = {i: labels(debate, i) for i in range(len(debate.models))}
            for i, own in seats.items():
                for level, seat in (("seat", f"seat {i + 1}"), ("seats", "")):
                    key = (*debate.cell, level, debate.models[i], seat, among)
                    counts[(*key, "unreadable" if own[0] is None else "n")] += 1
                    counts[(*key, "changed")] += own[0] is not None and changed(own)
                    counts[(*key, "ended")] += own[0] is not None and ended(own)
            for model in set(debate.models):
                owns = [own for i, own in seats.items() if debate.models[i] == model and own[0] is not None]
                key = (*debate.cell, "debate", model, "", among)
                counts[(*key, "n" if owns else "unreadable")] += 1
                counts[(*key, "changed")] += any(map(changed, owns))
                counts[(*key, "ended")] += any(map(ended, owns))
    return counts


@pytest.mark.parametrize("seed", range(6))
def test_equals_the_plain_count(seed: int) -> None:
    debates = draw(seed, 150)
    found = change.estimate(tallied(debates, "turns", "failures"))
    heard = [debate for debate in debates if debate.protocol != "solo"]
    expected = plain([debate for debate in heard if not debate.error])
    keys = list(found.columns[: found.columns.get_loc("among") + 1])
    assert {tuple(row) for row in found[keys].to_numpy()} == {key[:-1] for key in expected}
    for row in found.to_dict("records"):
        key = tuple(row[name] for name in keys)
        for event in ("n", "changed", "ended", "unreadable"):
            assert row[event] == expected[(*key, event)], (key, event)
        assert pd.isna(row["share"]) if row["n"] == 0 else row["share"] == row["changed"] / row["n"]
        assert row["failed"] == sum(
            bool(debate.error) for debate in heard if debate.cell == key[: len(CONDITION)]
        )


def rate(
    debate: Debate, level: str, seat: str = "", model: str = "alpha", among: str = "all"
) -> tuple[int, ...]:
    """(n, changed, ended, unreadable) of one debate."""
    found = change.estimate(tallied([debate], "turns", "failures"))
    chosen = found[
        (found["level"] == level)
        & (found["seat"] == seat)
        & (found["model"] == model)
        & (found["among"] == among)
    ]
    return tuple(
        int(number) for number in chosen[["n", "changed", "ended", "unreadable"]].to_numpy().sum(axis=0)
    )


def test_there_and_back_is_a_change_that_ended_where_it_began() -> None:
    assert rate(two_seats("NY", "YY", "NY"), "seat", "seat 1") == (1, 1, 0, 0)


def test_an_unreadable_later_turn_is_no_change() -> None:
    assert rate(two_seats("NY", "?Y", "NN"), "seat", "seat 1") == (1, 0, 0, 0)


def test_without_a_readable_first_verdict_a_seat_is_in_no_denominator() -> None:
    assert rate(two_seats("?Y", "NY", "YY"), "seat", "seat 1") == (0, 0, 0, 1)


def test_consensus_in_round_one_is_eligible_and_no_change() -> None:
    assert rate(two_seats("NN"), "seat", "seat 1") == (1, 0, 0, 0)
    assert rate(two_seats("NN"), "seat", "seat 1", among="disagreed") == (0, 0, 0, 0)


def test_self_debate_counts_seats_by_name_and_the_model_by_debate_and_by_seat() -> None:
    debate = two_seats("NY", "NN", models=("alpha", "alpha"))
    assert rate(debate, "seat", "seat 1") == (1, 0, 0, 0)
    assert rate(debate, "seat", "seat 2") == (1, 1, 1, 0)
    assert rate(debate, "debate") == (1, 1, 1, 0)
    assert rate(debate, "seats") == (2, 1, 1, 0)


def test_where_nobody_is_heard_there_is_no_rate() -> None:
    alone = [debate for debate in draw(0, 60) if debate.protocol == "solo"]
    assert change.estimate(tallied(alone, "turns", "failures")).empty
