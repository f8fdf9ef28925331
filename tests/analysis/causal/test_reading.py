"""From the turns of a run to its designed arms."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.causal.arms import Planted
from analysis.causal.reading import Arms, arms_of
from tests.analysis.causal.rows import again, debate, failure

TWO = ("m", "c")


def read(*debates: pd.DataFrame, failed: list[dict[str, object]] | None = None) -> Arms:
    return arms_of(pd.concat(debates, ignore_index=True), pd.DataFrame(failed) if failed else None)


def heard(arm: Planted | None) -> list[tuple[str, str, str, int, bool]]:
    """Each verdict in words: model, planted, said, confederates heard, whether in the same round."""
    assert arm is not None
    name = [*arm.labels, "?"]
    return [
        (
            arm.models[arm.model[i]],
            name[arm.planted[i]],
            name[arm.said[i]],
            int(arm.heard[i]),
            bool(arm.within[i]),
        )
        for i in range(len(arm.said))
    ]


def test_each_seat_that_is_asked_again_is_a_conversation() -> None:
    arm = read(again("1", ("b", "a"), "NY", "N?", "YY"), again("2", ("b",), "NN"[:1], "E", case="x")).reasked
    assert arm is not None
    told = {
        (arm.models[arm.model[i]], arm.cases[arm.case[i]]): [
            arm.labels[k] if k >= 0 else "" for k in arm.said[i]
        ]
        for i in range(len(arm.said))
    }
    assert told == {
        ("b", "a case"): ["NTA", "NTA", "YTA"],
        ("a", "a case"): ["YTA", "", "YTA"],
        ("b", "x"): ["NTA", "ESH", ""],
    }
    assert dict(arm.unreadable) == {"a": 1}


def test_at_the_same_time_the_planted_verdict_is_first_heard_in_round_2() -> None:
    arm = read(debate("1", "synchronous", TWO, "NY", "EY", "YY", planted="Y", confederates=[2])).planted
    assert heard(arm) == [("m", "YTA", "ESH", 1, False)]
    assert arm is not None
    assert arm.labels[arm.before[0]] == "NTA"


def test_in_turn_who_speaks_after_the_confederate_hears_it_in_round_1() -> None:
    after = debate("1", "round_robin", TWO, "NY", "YY", planted="Y", confederates=[2], order=[2, 1])
    before = debate("2", "round_robin", TWO, "NY", "EY", planted="Y", confederates=[2])
    both = debate(
        "3", "round_robin", ("m", "c", "c"), "NYY", planted="Y", confederates=[2, 3], order=[2, 3, 1]
    )
    assert heard(read(after).planted) == [("m", "YTA", "NTA", 1, True)]
    assert heard(read(before).planted) == [("m", "YTA", "ESH", 1, False)]
    assert heard(read(both).planted) == [("m", "YTA", "NTA", 2, True)]


def test_what_counts_is_what_was_drawn_even_if_it_was_not_said() -> None:
    arm = read(debate("1", "synchronous", TWO, "N?", "E?", planted="Y", confederates=[2])).planted
    assert heard(arm) == [("m", "YTA", "ESH", 1, False)]
    assert arm is not None
    assert arm.unsaid == 1


def test_what_is_missing_is_counted() -> None:
    played = debate("1", "synchronous", TWO, "NY", "?Y", planted="Y", confederates=[2])
    lost = [
        failure("2", "synchronous", "m+c", "YTA", [2]),
        failure("2", "synchronous", "m+c", "YTA", [2]),
        failure("3", "reask", "m+m"),
        failure("4", "synchronous", "m+c"),
    ]
    found = read(played, again("5", ("m",), "N", "N"), failed=lost)
    assert found.planted is not None
    assert found.reasked is not None
    assert dict(found.planted.unreadable) == {"m": 1}
    assert dict(found.planted.failed) == {"m": 1}
    assert dict(found.reasked.failed) == {"m": 2}


@pytest.mark.parametrize(
    ("others", "why"),
    [
        ({"variant": '{"rounds":2}'}, "1 debate left out: they end with consensus"),
        ({"variant": '{"hears":"ring","stop":"never"}'}, "their seats do not hear all that was said"),
        ({"opening": True}, "they go on from others"),
        ({"protocol": "consultancy"}, "it is known when a confederate is heard"),
    ],
)
def test_debates_that_tell_nothing_are_left_out_with_a_reason(others: dict[str, object], why: str) -> None:
    out = debate("1", "synchronous", TWO, "NY", "EY", planted="Y", confederates=[2]).assign(**others)
    kept = debate("2", "synchronous", TWO, "NY", "EY", planted="Y", confederates=[2])
    found = read(out, kept)
    assert len(heard(found.planted)) == 1
    assert why in " ".join(found.notes)
    assert read(out).planted is None


def test_hybrid_debates_in_which_it_is_heard_twice_are_left_out() -> None:
    twice = debate("1", "hybrid", TWO, "NY", "EY", planted="Y", confederates=[2], order=[2, 1])
    once = debate("2", "hybrid", TWO, "NY", "EY", planted="Y", confederates=[2])
    found = read(twice, once)
    assert heard(found.planted) == [("m", "YTA", "ESH", 1, False)]
    assert "1 verdicts of hybrid debates left out" in " ".join(found.notes)


def test_other_debates_are_in_no_arm() -> None:
    assert read(debate("1", "synchronous", TWO, "NY", "EY")) == Arms(None, None, ())
    assert arms_of(pd.DataFrame()) == Arms(None, None, ())
