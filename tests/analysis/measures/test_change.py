"""Change of verdict against a plain count over the debates themselves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from analysis.measures import change
from analysis.tally import CONDITION
from tests.analysis.counting import coursed, said, two_seats
from tests.analysis.synthetic import Debate, draw

pytestmark = pytest.mark.long


def labels(debate: Debate, seat: int) -> list[str | None]:
    return [turns[seat].label for turns in debate.said]


def changed(own: list[str | None]) -> bool:
    return any(label is not None and label != own[0] for label in own[1:])


def ended(own: list[str | None]) -> bool:
    return [label for label in own if label is not None][-1] != own[0]


def disagreed(debate: Debate) -> bool:
    return len({turn.label for turn in debate.said[0]} - {None}) > 1


def agreed(debate: Debate) -> bool:
    rounds = [{turn.label for turn in turns} for turns in debate.said]
    return any(len(labels) == 1 and None not in labels for labels in rounds)


def plain(debates: list[Debate]) -> Counter[tuple[Any, ...]]:
    """Counts by (cell, level, model, seat, among, event), as the definition says it."""
    counts: Counter[tuple[Any, ...]] = Counter()
    for debate in debates:
        seats = {i: labels(debate, i) for i in range(len(debate.models))}
        units = [("seat", debate.models[i], f"seat {i + 1}", [own]) for i, own in seats.items()]
        units += [("seats", debate.models[i], "", [own]) for i, own in seats.items()]
        for model in set(debate.models):
            owns = [own for i, own in seats.items() if debate.models[i] == model]
            units.append(("debate", model, "", owns))
        units.append(("panel", "", "", list(seats.values())))
        among = {"all": True, "disagreed": disagreed(debate), "no consensus": not agreed(debate)}
        for level, model, seat, all_owns in units:
            for name in (name for name, chosen in among.items() if chosen):
                key = (*debate.cell, level, model, seat, name)
                owns = [own for own in all_owns if own[0] is not None]
                counts[(*key, "denominator" if owns else "unreadable")] += 1
                counts[(*key, "changed")] += any(map(changed, owns))
                counts[(*key, "ended")] += any(map(ended, owns))
    return counts


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_plain_count(seed: int) -> None:
    debates = draw(seed, 120)
    found = change.estimate(coursed(debates))
    heard = [debate for debate in debates if debate.protocol != "solo"]
    expected = plain([debate for debate in heard if not debate.error])
    keys = [*CONDITION, "level", "model", "seat", "among"]
    assert {tuple(row) for row in found[keys].to_numpy()} >= {key[:-1] for key in expected}
    for row in found.to_dict("records"):
        key = tuple(row[name] for name in keys)
        assert row["numerator"] == expected[(*key, row["event"])], key
        for name in ("denominator", "unreadable"):
            assert row[name] == expected[(*key, name)], (key, name)
        if row["denominator"]:
            assert row["estimate"] == row["numerator"] / row["denominator"]
        else:
            assert row["reason"] == change.EMPTY
        assert row["failed"] == sum(
            bool(debate.error) for debate in heard if debate.cell == key[: len(CONDITION)]
        )


def rate(
    debate: Debate, level: str, seat: str = "", model: str = "alpha", among: str = "all"
) -> tuple[int, ...]:
    """(denominator, changed, ended, unreadable) of one debate."""
    found = change.estimate(coursed([debate])).set_index(["level", "seat", "model", "among", "event"])
    moved, last = (found.loc[(level, seat, model, among, event)] for event in change.EVENTS)
    return moved["denominator"], moved["numerator"], last["numerator"], moved["unreadable"]


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
    assert rate(debate, "panel", model="") == (1, 1, 1, 0)


def test_two_to_one_split_changes_one_seat_of_three() -> None:
    debate = Debate("d", "synchronous", ("alpha", "beta", "gamma"), "1-2-3", "default", said("NNY", "NNN"))
    assert [
        rate(debate, "seat", f"seat {i}", model)[1] for i, model in enumerate(debate.models, start=1)
    ] == [
        0,
        0,
        1,
    ]
    assert rate(debate, "panel", model="", among="no consensus") == (0, 0, 0, 0)
    assert rate(debate, "panel", model="", among="disagreed") == (1, 1, 1, 0)


def test_without_consensus_in_any_round_a_debate_is_among_no_consensus() -> None:
    assert rate(two_seats("NY", "YN"), "panel", model="", among="no consensus") == (1, 1, 1, 0)


def test_a_failed_debate_is_in_no_denominator_and_is_counted() -> None:
    failed = Debate("f", "synchronous", ("alpha", "beta"), "1-2", "default", error="Timeout")
    found = change.estimate(coursed([two_seats("NY", "NN"), failed]))
    assert set(found["failed"]) == {1}
    assert change.estimate(coursed([failed])).empty


def test_rates_by_opponent_pool_panels_and_orders() -> None:
    debates = [
        two_seats("NY", "YY"),
        replace(two_seats("NY", "NY", models=("alpha", "gamma")), id="c"),
        Debate("e", "synchronous", ("beta", "alpha"), "2-1", "default", said("NY", "NN"), case="b"),
    ]
    found = change.by_opponent(coursed(debates), by=["protocol"])
    found = found[(found["among"] == "all") & (found["event"] == "changed")]
    rates = found.set_index(["model", "opponents"])[["numerator", "denominator"]]
    assert rates.loc[("alpha", "beta")].tolist() == [2, 2]
    assert rates.loc[("alpha", "gamma")].tolist() == [0, 1]
    assert rates.loc[("beta", "alpha")].tolist() == [0, 2]


def test_where_nobody_is_heard_there_is_no_rate() -> None:
    alone = [debate for debate in draw(0, 60) if debate.protocol == "solo"]
    assert change.estimate(coursed(alone)).empty
