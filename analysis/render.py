"""The summary of a run as tables, for a terminal or a pipe of any width."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from rich.console import Group, RenderableType
from rich.text import Text

from analysis import naming, sheets
from analysis.head import any_judgment, head, independent
from analysis.outcomes import Missing
from analysis.sheet import Sheet
from analysis.summary import Summary

UNREADABLE_TURNS: dict[Missing, str] = {
    "disagree": "an unreadable turn agrees with nothing",
    "exclude": "debates with an unreadable turn left out",
    "worst": "an unreadable turn agrees with everything: the most consensus there can be",
}

UNREADABLE = {
    "consensus": "unreadable: debates with an unreadable turn.",
    "change": "unreadable: debates not counted, as the first verdict of the seat could not be read.",
    "verdicts": "unreadable: verdicts that could not be read.",
}
"""What the column of that name counts in each table."""

FAILED = "failed: debates that were given up; they are in no other figure."
UNREADABLE_JUDGMENTS = "unreadable: judgments that could not be read."
FAILED_JUDGMENTS = "failed: judgments that were given up, by any judge; they are in no other figure."

ALL_AGREE = "† All cases agree, and draws of cases would give no width: the interval is Wilson's."

ROUND_ROBIN = (
    "In round 1 of round_robin later speakers have already heard earlier ones: its agreement cannot be"
    " compared with that of round 1 of synchronous."
)


def render(summary: Summary) -> Group:
    """Everything a summary holds, one table below the other; a table without rows is left out."""
    tables: list[tuple[pd.DataFrame, str, str, Callable[[Summary], Sheet], list[str]]] = [
        (
            summary.consensus,
            "In which round did all seats first agree?",
            f"Share of debates; {UNREADABLE_TURNS[summary.missing]}.",
            sheets.consensus,
            [*_lost(summary, "consensus"), *_heard_before(summary)],
        ),
        (
            summary.change,
            "How often did a seat leave its first verdict?",
            "Share of debates with a readable first verdict of the seat. Changed: any later verdict differs;"
            " ended: the last one does. Disagreed first: debates with different verdicts in round 1.",
            sheets.change,
            _lost(summary, "change"),
        ),
        (
            summary.verdicts,
            "Which verdicts did the models give, first and last?",
            "Share of readable verdicts; a cell of the bar is about 5%.",
            sheets.verdicts,
            _lost(summary, "verdicts"),
        ),
        (
            summary.judgments,
            "What did the judges decide?",
            "Share of readable judgments, by the condition of the debate judged; a cell of the bar is about"
            " 5%.",
            sheets.judgments,
            _lost_judgments(summary),
        ),
        (
            summary.readings,
            "Could the turns be read?",
            "Share of turns; ok and repaired carry a verdict, the others are unreadable.",
            sheets.readings,
            [],
        ),
        (
            summary.models,
            "What did each model do?",
            f"In finished debates{_and_judgments(summary)}; – where a backend did not say. Cut off: replies"
            " that max_tokens ended, after or before their verdict.",
            sheets.models,
            [],
        ),
        (
            summary.failures,
            f"Why did debates{_and_judgments(summary)} fail?",
            f"Failed debates{_and_judgments(summary)} by their last error, with what it said most"
            " often; they are in no other figure.",
            sheets.failures,
            [],
        ),
    ]
    shown: list[RenderableType] = [head(summary)]
    for frame, title, caption, make, notes in tables:
        if not frame.empty:
            shown += [Text.assemble("\n", (title, "bold"), "\n", (caption, "dim")), make(summary)]
            shown += [Text(note, style="dim") for note in [*notes, *_agreeing(frame, summary)]]
    return Group(*shown)


def _agreeing(frame: pd.DataFrame, summary: Summary) -> list[str]:
    """The note on †, where a share of the table has one."""
    if independent(summary) or not {"low", "high", "wilson_low"} <= set(frame.columns):
        return []
    marked = (frame["low"] == frame["high"]) & frame["wilson_low"].notna()
    return [ALL_AGREE] if marked.any() else []


def _lost(summary: Summary, table: str) -> list[str]:
    return [{"unreadable": UNREADABLE[table], "failed": FAILED}[name] for name in sheets.lost(summary)]


def _lost_judgments(summary: Summary) -> list[str]:
    notes = {"unreadable": UNREADABLE_JUDGMENTS, "failed": FAILED_JUDGMENTS}
    return [notes[name] for name in sheets.lost_judgments(summary)]


def _and_judgments(summary: Summary) -> str:
    return " and judgments" if any_judgment(summary) else ""


def _heard_before(summary: Summary) -> list[str]:
    """The caveat, where a debate began in round_robin; one that goes on in it began elsewhere."""
    begun = summary.conditions[summary.conditions["stage"] == naming.USUAL["stage"]]
    return [ROUND_ROBIN] if "round_robin" in set(begun["protocol"]) else []
