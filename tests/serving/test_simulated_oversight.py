"""Simulated consultants and judges, turn by turn: each probability moves what it is said to move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Facts, Seen
from protocols.position import PARTS, position
from protocols.reading.argument import read_argument
from serving.blocks import SimulatedBlock
from serving.errors import AskRefused
from serving.simulated import Simulated
from tests.serving.oversight_asks import FORM, alike, answer, labels

WriteAsk = Callable[..., Ask]


def held(own: str | None, other: str | None) -> Facts:
    return Facts("c", 2, own, (Seen(1, "seat2", other),))


def test_the_same_ask_has_the_same_reply(write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=FORM, facts=Facts("c"), seed=3)
    assert answer(ask).text == answer(ask).text


def test_openings_are_right_or_any_of_the_wrong_ones(write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=FORM, facts=Facts("c"))
    assert labels(ask, right=1) == {"C": 400}
    assert alike(labels(ask, right=0), {"A", "B", "D"})
    assert labels(replace(ask, facts=Facts("own")), right=0) == {"C": 400}


@pytest.mark.parametrize(
    ("own", "other", "by"),
    [("A", "C", "adopts_right"), ("C", "A", "adopts_wrong"), ("A", "B", "adopts_wrong")],
)
def test_positions_adopt_by_whether_the_other_is_right(
    own: str, other: str, by: str, write_ask: WriteAsk
) -> None:
    ask = write_ask(answer_format=replace(FORM, parts=PARTS), facts=held(own, other))
    never = {"adopts_right": 0, "adopts_wrong": 0}
    assert labels(ask, **never) == {own: 400}
    assert labels(ask, **never | {by: 1}) == {other: 400}


def test_a_seat_that_holds_nothing_adopts_and_one_that_sees_nothing_retains(write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=replace(FORM, parts=PARTS), facts=held(None, "A"))
    assert labels(ask, adopts_wrong=0) == {"A": 400}
    assert labels(replace(ask, facts=held("B", None)), adopts_wrong=1) == {"B": 400}


def test_answers_outside_are_any_but_the_two_that_are_held(write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=replace(FORM, parts=PARTS), facts=held("A", "C"))
    assert alike(labels(ask, outside=1), {"B", "D"})
    two = AnswerFormat("text", "answer", ("A", "B"), ("right", "w"), PARTS)
    assert labels(replace(ask, answer_format=two, facts=held("A", "B")), outside=1, adopts_wrong=0) == {
        "A": 400
    }


@pytest.mark.parametrize("name", ["text", "json"])
def test_positions_state_every_part(name: str, write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=replace(FORM, name=name, parts=PARTS), facts=held("A", "C"))  # type: ignore[arg-type]
    law = {"adopts_right": 1, "confidence": {"right": [0, 0, 1], "wrong": [1, 0, 0]}}

    def stated(**more: object) -> tuple[object, ...]:
        turn = position(ask, answer(ask, **law | more), {"s1": "A", "seat2": "C"})
        assert turn.stated.crux
        assert turn.reading.status == "ok"
        return turn.label, turn.stated.confidence, turn.stated.stated_action, turn.stated.action

    assert stated() == ("C", 0.75, "adopt", "adopt")
    assert stated(adopts_right=0) == ("A", 0.25, "retain", "retain")
    assert stated(states_wrongly=1) == ("C", 0.75, "retain", "adopt")


@pytest.mark.parametrize("name", ["text", "json"])
def test_arguments_are_for_the_stance_whatever_is_right(name: str, write_ask: WriteAsk) -> None:
    form = replace(FORM, name=name, field="argument", parts=("reasoning", "argument"))  # type: ignore[arg-type]
    ask = write_ask(answer_format=form, facts=Facts("c", 2, "B", stance="B"))
    reading = read_argument(answer(ask).text, "stop", form.labels, form.option_texts)
    assert (reading.status, reading.stated) == ("ok", None)
    assert reading.argument.endswith("this speaks for B.")
    assert reading.reasoning
    unread = answer(ask, unreadable=1)
    assert read_argument(unread.text, "stop", form.labels, form.option_texts).status == "missing"


def test_an_unreadable_turn_is_empty_and_a_judge_has_none(write_ask: WriteAsk) -> None:
    ask = write_ask(answer_format=FORM, facts=Facts("c"))
    assert labels(ask, unreadable=1) == {None: 400}
    assert labels(replace(ask, kind="judge"), unreadable=1, right=1) == {"C": 400}


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("none", "does not know the question 'none'; its file has 3"),
        ("other", "takes 'y' for right in the question 'other', which is none of its 4 options"),
    ],
)
def test_a_question_that_is_not_known_is_refused(case: str, message: str, write_ask: WriteAsk) -> None:
    for kind in ("turn", "judge"):
        with pytest.raises(AskRefused, match=message):
            answer(write_ask(answer_format=FORM, facts=Facts(case), kind=kind))


def test_moral_cases_are_answered_as_without_oversight(write_ask: WriteAsk) -> None:
    plain = Simulated(SimulatedBlock(backend="simulated"))
    for seed in range(20):
        ask = write_ask(facts=Facts("case", 2, "YTA", (Seen(1, "b", "ESH"),)), seed=seed)
        assert answer(ask).text == asyncio.run(plain.answer(ask)).text


def test_preferences_are_for_any_draft(write_ask: WriteAsk) -> None:
    form = AnswerFormat(field="answer", labels=("A", "B", "C"))
    ask = write_ask(answer_format=form, facts=held("A", "C"), kind="preference")
    assert alike(labels(ask), {"A", "B", "C"})
