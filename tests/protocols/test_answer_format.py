"""Answer formats: what is asked for can be written, and is read back."""

from __future__ import annotations

import json
from itertools import product

import pytest

from protocols.answer_format import VERDICTS, AnswerFormat, FormatName, PartName, render
from protocols.reading import read
from tests.protocols.part_cases import WINNERS

EXPLANATION = 'She said "wait"; he left.\n\nThat weighs more than 5 €.'


@pytest.mark.parametrize(("name", "label"), list(product(("text", "json"), VERDICTS)))
def test_what_a_format_writes_is_read_back(name: FormatName, label: str) -> None:
    form = AnswerFormat(name)
    reading = read(form.write(label, EXPLANATION), "stop", form.field, form.labels, form.option_texts)
    assert (reading.status, reading.label, reading.explanation) == ("ok", label, EXPLANATION)


def test_only_json_has_a_schema_and_what_it_writes_keeps_to_it() -> None:
    schema = AnswerFormat("json").schema
    assert AnswerFormat("text").schema is None
    assert schema is not None
    written = json.loads(AnswerFormat("json").write("ESH", EXPLANATION))
    assert list(written) == schema["required"] == ["verdict", "explanation"]
    assert json.loads(json.dumps(schema))["properties"]["verdict"]["enum"] == list(VERDICTS)


def test_answers_to_questions_name_their_field() -> None:
    form = AnswerFormat("json", "answer", ("A", "B"), ("yes", "no"))
    assert json.loads(form.write("B", "It rains.")) == {"answer": "B", "explanation": "It rains."}
    assert render("answer", "B", "It rains.") == "Answer: B\n\nIt rains."


def test_a_bare_label_is_rendered_without_a_gap() -> None:
    assert render("verdict", "NAH", "") == "My current verdict: NAH"


POSITION: tuple[PartName, ...] = ("crux", "concession", "confidence", "action", "argument")
SAID: dict[PartName, str] = {
    "crux": "The mass.",
    "concession": "None.",
    "confidence": "high",
    "action": "adopt",
}


def test_a_position_is_written_part_by_part_with_the_answer_before_the_argument() -> None:
    form = AnswerFormat("text", "answer", ("A", "B"), parts=POSITION)
    assert form.write("B", "It\nsinks.", SAID) == (
        "Crux: The mass.\nConcession: None.\nConfidence: high\nAction: adopt\nAnswer: B\nArgument: It\nsinks."
    )
    written = json.loads(AnswerFormat("json", "answer", ("A", "B"), parts=POSITION).write("B", "x", SAID))
    assert written == {**SAID, "answer": "B", "argument": "x"}
    assert list(written) == ["crux", "concession", "confidence", "action", "answer", "argument"]


def test_parts_that_are_not_given_or_not_named_are_not_written() -> None:
    form = AnswerFormat("text", "answer", ("A", "B"), parts=("crux", "argument"))
    assert form.write("B", "x", {"action": "adopt"}) == "Answer: B\nArgument: x"


def test_parts_without_an_argument_stand_before_the_label() -> None:
    form = AnswerFormat("text", "verdict", parts=("confidence",))
    assert form.write("NTA", "x", {"confidence": "low"}) == "Confidence: low\nMy current verdict: NTA\n\nx"


def test_an_argument_has_no_label() -> None:
    parts: tuple[PartName, ...] = ("reasoning", "argument")
    text = AnswerFormat("text", "argument", ("A", "B"), parts=parts)
    form = AnswerFormat("json", "argument", ("A", "B"), parts=parts)
    assert text.write("B", "x", {"reasoning": "y"}) == "Reasoning: y\nArgument: x"
    assert json.loads(form.write("B", "x", {"reasoning": "y"})) == {"reasoning": "y", "argument": "x"}
    assert form.schema is not None
    assert form.schema["required"] == ["reasoning", "argument"]


def test_the_schema_of_a_position_names_its_choices() -> None:
    schema = AnswerFormat("json", "answer", ("A", "B"), parts=POSITION).schema
    assert schema is not None
    assert schema["required"] == ["crux", "concession", "confidence", "action", "answer", "argument"]
    properties = json.loads(json.dumps(schema))["properties"]
    assert properties["confidence"]["enum"] == ["low", "medium", "high"]
    assert properties["action"]["enum"] == ["retain", "adopt"]
    assert properties["answer"]["enum"] == ["A", "B"]
    assert properties["argument"] == properties["crux"] == {"type": "string"}


@pytest.mark.parametrize(("name", "label"), list(product(("text", "json"), WINNERS)))
def test_a_winner_that_is_written_is_read_back(name: FormatName, label: str) -> None:
    form = AnswerFormat(name, "winner", WINNERS)
    reading = read(form.write(label, EXPLANATION), "stop", form.field, form.labels, form.option_texts)
    assert (reading.status, reading.label, reading.explanation) == ("ok", label, EXPLANATION)
