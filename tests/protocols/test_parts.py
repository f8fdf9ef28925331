"""Parts of replies: the given cases, what a format writes, and the laws that hold on any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.answer_format import CHOICES, AnswerFormat, FormatName, PartName
from protocols.reading import read
from protocols.reading.parts import Parts, read_parts, stated_action, stated_confidence
from tests.protocols.part_cases import (
    HOSTILE,
    LETTERS,
    LONG,
    NAMES,
    POSITION,
    PROSE,
    TEXTS,
    WINNERS,
    cases,
    linear,
)


@pytest.mark.parametrize("line", cases("position"))
def test_given_position(line: dict[str, Any]) -> None:
    reading = read(line["text"], line["finish_reason"], "answer", LETTERS)
    found = read_parts(line["text"], POSITION).found
    confidence, action = found.get("confidence"), found.get("action")
    assert line["expected"] == {
        "status": reading.status,
        "label": reading.label,
        "crux": found.get("crux"),
        "concession": found.get("concession"),
        "confidence": None if confidence is None else stated_confidence(confidence),
        "action": None if action is None else stated_action(action),
        "argument": found.get("argument"),
    }


@pytest.mark.parametrize("line", cases("winner"))
def test_given_winner(line: dict[str, Any]) -> None:
    reading = read(line["text"], line["finish_reason"], "winner", WINNERS)
    assert line["expected"] == {"status": reading.status, "label": reading.label}


@pytest.mark.parametrize(
    ("said", "probability"),
    [
        ("low", 0.25),
        ("Medium.", 0.5),
        ("moderate", 0.5),
        ("**HIGH**", 0.75),
        ("very high", 0.75),
        ("High (80%)", 0.75),
        ("80% (high)", 0.8),
        ("My confidence is high, as said.", 0.75),
        ("I'm 80% confident", 0.8),
        ("0.8", 0.8),
        (".8", 0.8),
        ("0,8", 0.8),
        ("８０ ％", 0.8),
        ("80 percent", 0.8),
        ("~80%", 0.8),
        ("85", 0.85),
        ("8/10", 0.8),
        ("4 out of 10", 0.4),
        ("75/100", 0.75),
        ("0", 0.0),
        ("1", 1.0),
        ("0%", 0.0),
        ("100%", 1.0),
        ("0.5%", 0.005),
        ("", None),
        ("5", None),
        ("10", None),
        ("101", None),
        ("120%", None),
        ("12/10", None),
        ("-0.5", None),
        ("0.8.1", None),
        ("1234", None),
        ("not high", None),
        ("highest", None),
        ("medium-high", None),
        ("low to medium", None),
        ("low|medium|high", None),
        ("medium -> high", None),
        ("70-80%", None),
        ("70% to 80%", None),
        ("0.7 or 0.8", None),
        ("80.5%", 0.805),
    ],
)
def test_stated_confidence(said: str, probability: float | None) -> None:
    assert stated_confidence(said) == (None if probability is None else pytest.approx(probability))


@pytest.mark.parametrize(
    ("said", "action"),
    [
        ("retain", "retain"),
        ("**Adopt**", "adopt"),
        ("adopt B", "adopt"),
        ("I adopt my opponent's answer.", "adopt"),
        ("I'm switching to B", "adopt"),
        ("retain my answer", "retain"),
        ("I retained it", "retain"),
        ("Keep my own", "retain"),
        ("stand by A", "retain"),
        ("retain, as adopting C would be wrong", "retain"),
        ("Instead of adopting C, I retain A", "retain"),
        ("I do not retain A; I adopt B", "adopt"),
        ("retain/adopt", None),
        ("retain | adopt", None),
        ("adopt or retain", None),
        ("I will not adopt it", None),
        ("retainer", None),
        ("clarify", None),
        ("", None),
    ],
)
def test_stated_action(said: str, action: str | None) -> None:
    assert stated_action(said) == action


def test_the_rest_is_the_reply_without_its_parts() -> None:
    text = "Hello.\n\n**Crux:** The mass.\nConfidence: high\nAnswer: B\nSo it is.\nArgument: x"
    assert read_parts(text, POSITION).rest == "Hello.\n\nAnswer: B\nSo it is."
    assert read_parts('Hello.\n```json\n{"crux": "The mass."}\n```\nBye.', POSITION).rest == "Hello.\n\nBye."


def test_only_parts_that_are_asked_for_are_found() -> None:
    text = "Reasoning: secret\nCrux: The mass.\nArgument: x"
    assert read_parts(text, ("reasoning", "argument")).found == {
        "reasoning": "secret\nCrux: The mass.",
        "argument": "x",
    }
    assert read_parts(text, ()) == Parts({}, text)


@settings(max_examples=200)
@given(TEXTS, st.lists(st.sampled_from(["reasoning", *POSITION]), unique=True))
def test_laws_hold_on_any_text(text: str, names: list[PartName]) -> None:
    """Parts and rest are of the reply, storable, and what the parts say is a level, an action or nothing."""
    parts = read_parts(text, names)
    assert parts.found.keys() <= set(names)
    assert sum(len(said.encode("utf-8")) for said in parts.found.values()) <= 4 * len(text)
    assert len(parts.rest.encode("utf-8")) <= 4 * len(text)
    for said in (text, *parts.found.values()):
        assert 0 <= (stated_confidence(said) or 0) <= 1
        assert stated_action(said) in ("retain", "adopt", None)


@settings(max_examples=150)
@given(PROSE, PROSE, st.sampled_from(CHOICES["confidence"]), st.sampled_from(CHOICES["action"]), NAMES)
def test_what_a_format_writes_is_read_back(
    crux: str, argument: str, confidence: str, action: str, name: FormatName
) -> None:
    form = AnswerFormat(name, "answer", LETTERS, parts=POSITION)
    parts: dict[PartName, str] = {
        "crux": f"This: {crux}".strip(),
        "concession": "None.",
        "confidence": confidence,
        "action": action,
    }
    argument = f"So: {argument}".strip()
    written = form.write("C", argument, parts)
    assert read_parts(written, form.parts) == Parts(
        {**parts, "argument": argument}, "Answer: C" if name == "text" else ""
    )
    assert read(written, "stop", "answer", LETTERS).label == "C"


@settings(max_examples=150)
@given(PROSE, st.integers(0, 250), NAMES)
def test_a_cut_never_turns_one_label_into_another(prose: str, length: int, name: FormatName) -> None:
    parts: dict[PartName, str] = {"crux": f"A or D? {prose}", "confidence": "high", "action": "adopt"}
    written = AnswerFormat(name, "answer", LETTERS, parts=POSITION).write("C", prose, parts)[:length]
    assert read(written, "length", "answer", LETTERS).label in (None, "C")
    assert stated_confidence(read_parts(written, POSITION).found.get("confidence", "")) in (None, 0.75)


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_repetition_of_any_piece_is_read(piece: str) -> None:
    """Long enough that an exponential reading would run into the time limit of the suite."""
    text = piece * (1_000 // len(piece))
    for before in ("", "Crux: ", '{"crux": "'):
        assert read_parts(before + text, POSITION).rest.encode("utf-8") is not None
    for said in (text, "high " + text, "80% " + text, "retain " + text):
        stated_confidence(said)
        stated_action(said)


@pytest.mark.parametrize("piece", LONG, ids=ascii)
def test_time_is_linear_in_length(piece: str) -> None:
    linear(lambda text: read_parts(text, ("reasoning", *POSITION)), piece)


@pytest.mark.parametrize("piece", ["Winner: 1, Agent 2 ", "the winner of "])
def test_time_to_read_a_winner_is_linear_in_length(piece: str) -> None:
    linear(lambda text: read(text, "length", "winner", WINNERS), piece)
