"""Answer formats: what is asked for can be written, and is read back."""

from __future__ import annotations

import json
from itertools import product

import pytest

from protocols.answer_format import VERDICTS, AnswerFormat, FormatName, render
from protocols.reading import read

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
