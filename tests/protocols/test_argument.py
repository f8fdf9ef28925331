"""Arguments: the given cases, and the laws that hold on any text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.answer_format import AnswerFormat, FormatName
from protocols.reading.argument import ArgumentReading, read_argument
from tests.protocols.part_cases import HOSTILE, LETTERS, LONG, PROSE, TEXTS, cases, linear

FINISH_REASONS = ("stop", "length", "content_filter")
STATUSES = ("ok", "repaired", "missing", "refusal", "truncated")


@pytest.mark.parametrize("line", cases("argument"))
def test_given_argument(line: dict[str, Any]) -> None:
    reading = read_argument(line["text"], line["finish_reason"], LETTERS)
    assert reading == ArgumentReading(**line["expected"])


def check_laws(text: str, reading: ArgumentReading) -> None:
    """An argument if and only if it is readable; a label, one of those asked for; storable texts."""
    assert reading.status in STATUSES
    assert bool(reading.argument) == (reading.status in ("ok", "repaired"))
    assert reading.stated is None or reading.stated in LETTERS
    assert len((reading.argument + reading.reasoning).encode("utf-8")) <= 4 * len(text)


@settings(max_examples=300)
@given(TEXTS, st.sampled_from(FINISH_REASONS))
def test_laws_hold_on_any_text(text: str, finish_reason: str) -> None:
    check_laws(text, read_argument(text, finish_reason, LETTERS, ["a text"]))


@settings(max_examples=150)
@given(PROSE, PROSE, st.sampled_from(["text", "json"]))
def test_what_a_format_writes_is_read_back(private: str, shown: str, name: FormatName) -> None:
    form = AnswerFormat(name, "argument", LETTERS, parts=("reasoning", "argument"))
    written = form.write("B", f"So: {shown}".strip(), {"reasoning": f"Now: {private}".strip()})
    reading = read_argument(written, "stop", LETTERS)
    assert (reading.status, reading.argument) == ("ok", f"So: {shown}".strip())
    assert reading.reasoning == f"Now: {private}".strip()


@settings(max_examples=150)
@given(st.integers(0, 80), st.sampled_from(["text", "json"]), st.sampled_from(FINISH_REASONS))
def test_a_cut_never_shows_the_reasoning(length: int, name: FormatName, finish_reason: str) -> None:
    form = AnswerFormat(name, "argument", LETTERS, parts=("reasoning", "argument"))
    written = form.write("", "It is heavy.", {"reasoning": "secret secret secret"})
    for before in ("", "<think>secret</think>\n", "Here it is:\n\n"):
        assert "secret" not in read_argument((before + written)[:length], finish_reason, LETTERS).argument


def test_an_option_text_is_stated_too() -> None:
    reading = read_argument("Argument: It falls.\nAnswer: gravity", "stop", ("A", "B"), ("wind", "gravity"))
    assert reading == ArgumentReading("ok", "It falls.", "", "B")


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_repetition_of_any_piece_is_read(piece: str) -> None:
    for before in ("", "Reasoning: x\nArgument: ", '{"reasoning": "x", "argument": "'):
        text = before + piece * (1_000 // len(piece))
        check_laws(text, read_argument(text, "length", LETTERS, ["a text"]))


@pytest.mark.parametrize("piece", LONG, ids=ascii)
def test_time_is_linear_in_length(piece: str) -> None:
    linear(lambda text: read_argument(text, "length", LETTERS), piece)
