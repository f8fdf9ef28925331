"""Replies with parts: the given file, pieces of hostile ones, and what a long one may cost."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from protocols.answer_format import PartName

LETTERS = ("A", "B", "C", "D")
WINNERS = ("1", "2", "neither")
POSITION: tuple[PartName, ...] = ("crux", "concession", "confidence", "action", "argument")
GIVEN = Path(__file__).parents[1] / "data" / "parts.jsonl"
LINES = [json.loads(line) for line in GIVEN.read_text(encoding="utf-8").splitlines()]

NAMES = st.sampled_from(["text", "json"])
PROSE = st.from_regex(r"[A-Za-z,.; ]{0,40}", fullmatch=True)

FRAGMENTS = [
    *("Crux", "Concession", "Confidence", "Action", "Answer", "Argument", "Reasoning", "explanation"),
    *(": ", ":", " | ", " = ", "\n", "\n\n", " ", "**", "## ", "- ", "1. ", "> ", "`", "```", '"', "'"),
    *("high", "0.8", "80 %", "medium", " or ", "/", "retain", "adopt", "not ", "B", "C", "secret"),
    *("<crux>", "</crux>", "<reasoning>", "</reasoning>", "<think>", "</think>", "---", "I can't help"),
    *("{", "}", "[", "]", '{"crux": ', '"argument": "', '"reasoning": ', '",', "null", "\\"),
    *("\u200b", "\ud83d", "\0", "Ｃrux：", "e\u0301"),
]
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=20).map("".join) | st.text(max_size=60)

LONG = ["Crux:\n", "</crux><crux>", "Reasoning: x\nAnswer: B\n", "crux of a "]
HOSTILE = [
    *("Crux: ", "crux (", "Crux</b></b>", "confidence ", "Answer: B\n", "Argument:\nAnswer: B\n", "my "),
    *("<crux>", "</crux>", "</crux> ", "<crux>\n", "- ", "**", "|", "|---|\n", "\n---", "---\n", "```", "` "),
    *("{", '{"crux":', '{"crux": "a", ', '{"crux": ["a",', '{"a": "b", "c', '"', '", "', "' ", "'a "),
    *(
        "\n",
        "\n ",
        " \n",
        "1. ",
        "1) ",
        "> ",
        "<b>",
        "<b ",
        "(",
        "-",
        "\\",
        "not ",
        "is ",
        "~",
        "0",
        "1.",
        "8/",
    ),
    *("\u0301", "\ud800", "\0", "\u2028", "retain ", "adopt, ", "high/", "i ", "<think>"),
]


def linear(reading: Callable[[str], object], piece: str) -> None:
    """Read a text of 1 MB, in much less time than one that takes the square of its length would need."""
    start = time.perf_counter()
    reading("Argument: x\n" + piece * (1_000_000 // len(piece)))
    assert time.perf_counter() - start < 60


def cases(name: str) -> list[Any]:
    numbered = [(n, line) for n, line in enumerate(LINES, start=1) if line["format"] == name]
    return [pytest.param(line, id=f"{n}: {line['why']}") for n, line in numbered]
