"""What a person reads: every number of the summary is there, and fits the page."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from rich.console import Console

from analysis.cells import bar, label, money, number, share
from analysis.render import render
from analysis.summary import summary
from tests.analysis.counting import tallied, two_seats
from tests.analysis.synthetic import Debate, draw


def page(debates: list[Debate], width: int = 100) -> str:
    """The summary of these debates, as it goes through a pipe."""
    sheet = io.StringIO()
    Console(file=sheet, width=width).print(render(summary("runs/one", tallied(debates))))
    return sheet.getvalue()


def line(text: str, start: str) -> list[str]:
    """The words of the first line that starts so."""
    return next(row.split() for row in text.splitlines() if row.strip().startswith(start))


SPLIT = [two_seats("NN"), two_seats("NY", "NN"), two_seats("N?", "NY", "YY"), two_seats("NY", "YN")]
FOUR = [
    Debate(f"d{place}", *[getattr(one, name) for name in ("protocol", "models", "order", "steering", "said")])
    for place, one in enumerate(SPLIT)
]
FAILED = Debate("f", "synchronous", ("alpha", "beta"), "1-2", "default", error="Timeout")


def test_consensus_with_its_denominator_and_what_is_not_in_it() -> None:
    shown = page([*FOUR, FAILED])
    assert line(shown, "synchronous") == ["synchronous", "25.0%", "25.0%", "25.0%", "25.0%", "4", "1", "1"]
    assert "5–70" in shown, "the interval of one in four"


def test_changes_by_seat() -> None:
    shown = page([*FOUR, FAILED])
    assert line(shown, "synchronous  seat 1") == [
        "synchronous",
        "seat",
        "1",
        "50.0%",
        "50.0%",
        "4",
        "50.0%",
        "2",
        "0",
        "1",
    ]
    assert line(shown, "seat 2")[-7:] == ["66.7%", "66.7%", "3", "100.0%", "2", "1", "1"]


def test_totals_failures_and_what_is_the_same_everywhere() -> None:
    shown = page([*FOUR, FAILED])
    assert "4 debates finished, 1 failed, 16 calls" in shown
    assert "panel alpha + beta, order 1-2, steering default, answer format json" in " ".join(shown.split())
    assert line(shown, "Timeout") == ["Timeout", "1"]


@pytest.mark.parametrize("width", [80, 100, 200])
def test_nothing_is_cut_off(width: int) -> None:
    shown = page([debate for debate in draw(1, 150) if len(debate.models) <= 2], width)
    assert all(len(row) <= width for row in shown.splitlines())
    assert width < 100 or "…" not in shown


def test_a_pipe_gets_no_escape_codes() -> None:
    assert "\x1b" not in page(FOUR)


def test_a_run_without_results_says_so_without_tables() -> None:
    shown = page([])
    assert "0 debates finished, 0 failed, 0 calls" in shown
    assert "How often" not in shown
    assert "nan" not in shown.lower()


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [([1, 1], "██████▓▓▓▓▓▓"), ([0, 3, 0], "▓" * 12), ([0, 0], ""), ([1, 1, 1], "████▓▓▓▓▒▒▒▒")],
)
def test_a_bar_is_divided_as_the_counts_are(counts: list[int], drawn: str) -> None:
    assert bar(counts).plain == drawn


def test_a_condition_is_named_in_words() -> None:
    design = {
        "protocol": "synchronous",
        "variant": '{"rounds":4}',
        "panel": "a+b",
        "order": "",
        "steering": "none",
    }
    assert label(design) == "synchronous · rounds 4 · a + b · steering none"


def test_narrow_intervals_keep_a_decimal() -> None:
    assert share({"share": 0.5, "low": 0.4, "high": 0.6}).plain == "50.0%\n40–60"
    assert share({"share": 1.0, "low": 0.9988, "high": 1.0}).plain == "100.0%\n99.9–100.0"


def test_unknown_numbers_are_dashes() -> None:
    assert (number(None), number(pd.NA), number(1234)) == ("–", "–", "1,234")
    assert share({"n": 0}).plain == "–"
    assert (money(None), money(0.5)) == ("cost unknown", "$0.5000")
