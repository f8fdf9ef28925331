"""Simulated judges: what they are shown, and their declared competence, decide whom they believe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Facts, Seen
from tests.protocols.part_cases import WINNERS
from tests.serving.oversight_asks import FORM, alike, labels

WriteAsk = Callable[..., Ask]


def shown(*turns: tuple[str, str | None]) -> Facts:
    return Facts("c", 3, seen=tuple(Seen(at, seat, label) for at, (seat, label) in enumerate(turns, start=1)))


@pytest.mark.parametrize(
    ("facts", "law", "expected"),
    [
        (shown(), {"right": 1}, "C"),
        (shown(), {"right": 0}, "ABD"),
        (shown(("seat1", None)), {"right": 1, "follows": 0}, "C"),
        (shown(("seat1", "A")), {"follows": 1, "right": 1}, "A"),
        (shown(("seat1", "A")), {"follows": 0}, "BCD"),
        (shown(("seat1", "A"), ("seat2", "C"), ("seat1", "C")), {"follows": 1, "q": 0}, "C"),
        (shown(("seat1", "A"), ("seat2", "C")), {"q": 1}, "C"),
        (shown(("seat1", "A"), ("seat2", "C"), ("seat2", None)), {"q": 0}, "A"),
        (shown(("seat1", "A"), ("seat2", "C")), {"outside_judge": 1}, "BD"),
        (shown(("seat1", "A"), ("seat2", "B")), {"q": 1}, "AB"),
        (shown(("seat1", "A"), ("seat2", "B"), ("seat3", "C")), {"q": 0}, "AB"),
        (shown(*zip("1234", "ABCD", strict=True)), {"outside_judge": 1, "q": 1}, "C"),
    ],
)
def test_judges_go_by_the_last_answers_they_are_shown(
    facts: Facts, law: dict[str, object], expected: str, write_ask: WriteAsk
) -> None:
    ask = write_ask(answer_format=FORM, facts=facts, kind="judge")
    assert alike(labels(ask, **law), set(expected))


@pytest.mark.parametrize(
    ("facts", "law", "expected"),
    [
        (shown(), {"right": 1}, {"neither"}),
        (shown(("seat1", "A"), ("seat2", "C")), {"q": 1}, {"1"}),
        (shown(("seat1", "A"), ("seat2", "C")), {"q": 0}, {"2"}),
        (shown(("seat1", "A"), ("seat2", "C")), {"outside_judge": 1}, {"neither"}),
        (shown(("seat1", "A"), ("seat2", "B")), {}, {"1", "2"}),
        (shown(("seat1", "C")), {"follows": 1}, {"2"}),
        (shown(("seat1", "C"), ("seat2", "C")), {"follows": 1}, {"1", "2"}),
        (shown(("seat1", "A")), {"follows": 0}, {"neither"}),
    ],
)
def test_winners_are_named_by_what_they_are_called(
    facts: Facts, law: dict[str, object], expected: set[str], write_ask: WriteAsk
) -> None:
    called = (("seat1", "Agent 2"), ("seat2", "Agent 1"))
    told = replace(facts, options=FORM.option_texts or (), called=called)
    form = AnswerFormat("text", "winner", WINNERS)
    assert alike(labels(write_ask(answer_format=form, facts=told, kind="judge"), **law), expected)
