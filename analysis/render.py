"""The summary of a run as tables, for a terminal or a pipe of any width."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import pandas as pd
from rich.console import Group, RenderableType
from rich.text import Text

from analysis import cells, naming
from analysis.consensus import Missing
from analysis.distribution import WHEN
from analysis.head import (
    any_failed,
    any_failed_judgment,
    any_judgment,
    any_unreadable,
    any_unreadable_judgment,
    head,
)
from analysis.readings import STATUSES
from analysis.sheet import Named, Sheet
from analysis.summary import Summary

Row = dict[Hashable, Any]

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
            consensus,
            [*_lost(summary, "consensus"), *_heard_before(summary)],
        ),
        (
            summary.change,
            "How often did a seat leave its first verdict?",
            "Share of debates with a readable first verdict of the seat. Changed: any later verdict differs;"
            " ended: the last one does. Disagreed first: debates with different verdicts in round 1.",
            change,
            _lost(summary, "change"),
        ),
        (
            summary.verdicts,
            "Which verdicts did the models give, first and last?",
            "Share of readable verdicts; a cell of the bar is about 5%.",
            verdicts,
            _lost(summary, "verdicts"),
        ),
        (
            summary.judgments,
            "What did the judges decide?",
            "Share of readable judgments, by the condition of the debate judged; a cell of the bar is about"
            " 5%.",
            judgments,
            _lost_judgments(summary),
        ),
        (
            summary.readings,
            "Could the turns be read?",
            "Share of turns; ok and repaired carry a verdict, the others are unreadable.",
            readings,
            [],
        ),
        (
            summary.models,
            "What did each model do?",
            f"In finished debates{_and_judgments(summary)}; – where a backend did not say. Cut off: replies"
            " that max_tokens ended, after or before their verdict.",
            models,
            [],
        ),
        (
            summary.failures,
            f"Why did debates{_and_judgments(summary)} fail?",
            f"Failed debates{_and_judgments(summary)} by their last error; they are in no other figure.",
            failures,
            [],
        ),
    ]
    shown: list[RenderableType] = [head(summary)]
    for frame, title, caption, make, notes in tables:
        if not frame.empty:
            shown += [Text.assemble("\n", (title, "bold"), "\n", (caption, "dim")), make(summary)]
            shown += [Text(note, style="dim") for note in notes]
    return Group(*shown)


def consensus(summary: Summary) -> Sheet:
    """A row per condition, a column per round."""
    frame = summary.consensus
    rounds = range(1, int(frame["round"].fillna(0).max()) + 1)
    names = [f"round {number}" for number in rounds]
    sheet = _sheet("condition", "", [*names, "never", "debates", *lost(summary)])
    for label, rows in conditions(frame, summary.by, summary.conditions):
        shares = {0 if pd.isna(row["round"]) else row["round"]: cells.share(row) for row in rows}
        by_round = [shares.get(number, Text("–")) for number in (*rounds, 0)]
        figures = [*by_round, *cells.numbers(rows[0], "n", *lost(summary))]
        sheet.groups.append((label, [("", figures)]))
    return sheet


def change(summary: Summary) -> Sheet:
    """A row per condition and seat; for a model in several seats also one for the model."""
    figures = ["changed", "ended", "debates", "changed if they\ndisagreed first", "disagreed\nfirst"]
    sheet = _sheet("condition", "seat", [*figures, *lost(summary)])
    keys = [*summary.by, "level", "model", "seat"]
    disagreed = summary.change[summary.change["among"] == "disagreed"]
    apart = {tuple(row[name] for name in keys): row for row in disagreed.to_dict("records")}
    seats = _seats(summary.change, summary.by)
    for label, rows in conditions(seats, summary.by, summary.conditions):
        group: list[Named] = []
        for row in rows:
            disagreeing = apart.get(tuple(row[name] for name in keys), {"n": 0})
            shares = [cells.share(row), cells.share(row, "ended_"), cells.number(row["n"])]
            among = [cells.share(disagreeing), cells.number(disagreeing["n"])]
            seat = f"{row['seat']}\n{row['model']}" if row["seat"] else f"any seat of {row['model']}"
            group.append((seat, [*shares, *among, *cells.numbers(row, *lost(summary))]))
        sheet.groups.append((label, group))
    return sheet


def verdicts(summary: Summary) -> Sheet:
    """Per condition and model two rows: round 1, and the last round; one where they are the same."""
    frame = summary.verdicts[summary.verdicts["when"] != WHEN[2]]
    frame = frame[(frame["when"] == WHEN[0]) | (frame["latest"] > 1)]
    labels = list(frame["verdict"].unique())
    sheet = _sheet("condition", "model", [*_drawn(labels), "verdicts", *lost(summary), ""])
    for label, rows in conditions(frame, summary.by, summary.conditions):
        own = [rows[start : start + len(labels)] for start in range(0, len(rows), len(labels))]
        group = [_decided(row, f"{row[0]['model']}\n{row[0]['when']}", lost(summary)) for row in own]
        sheet.groups.append((label, group))
    return sheet


def judgments(summary: Summary) -> Sheet:
    """Per condition a row for each judge, a column per decision."""
    frame = summary.judgments
    labels = list(frame["decision"].unique())
    sheet = _sheet("condition", "judge", [*_drawn(labels), "judgments", *lost_judgments(summary), ""])
    told = pd.concat([summary.conditions, summary.judged])
    for label, rows in conditions(frame, summary.by, told):
        own = [rows[start : start + len(labels)] for start in range(0, len(rows), len(labels))]
        group = [_decided(row, str(row[0]["judge"]), lost_judgments(summary)) for row in own]
        sheet.groups.append((label, group))
    return sheet


def readings(summary: Summary) -> Sheet:
    """A row per model, a column per status."""
    sheet = _sheet("", "model", [*STATUSES, "turns"])
    for model, rows in summary.readings.groupby("model"):
        own = rows.to_dict("records")
        sheet.groups.append(("", [(str(model), [*map(cells.share, own), cells.number(own[0]["n"])])]))
    return sheet


def models(summary: Summary) -> Sheet:
    """A row per model: calls, replies cut off, tokens, money."""
    names = ["calls", "cut off", "tokens read", "of them cached", "tokens written", "cost"]
    sheet = _sheet("", "model", names)
    for row in summary.models.to_dict("records"):
        cut_off = cells.part(row["cut_off"], row["cut_off_share"])
        tokens = cells.numbers(row, "prompt_tokens", "cached_tokens", "completion_tokens")
        figures = [cells.number(row["calls"]), cut_off, *tokens, cells.money(row["cost_usd"])]
        sheet.groups.append(("", [(str(row["model"]), figures)]))
    return sheet


def failures(summary: Summary) -> Sheet:
    """A row per class of error."""
    failed = ["debates", *["judgments"] * any_judgment(summary)]
    sheet = _sheet("", "error", failed)
    for row in summary.failures.to_dict("records"):
        sheet.groups.append(("", [(str(row["error_class"]), cells.numbers(row, *failed))]))
    return sheet


def lost(summary: Summary) -> list[str]:
    """The columns of what is in no share: only those that are not 0 in the whole run."""
    return ["unreadable"] * any_unreadable(summary) + ["failed"] * any_failed(summary)


def lost_judgments(summary: Summary) -> list[str]:
    """The same for judgments."""
    unreadable, failed = any_unreadable_judgment(summary), any_failed_judgment(summary)
    return ["unreadable"] * unreadable + ["failed"] * failed


def conditions(frame: pd.DataFrame, by: Sequence[str], told: pd.DataFrame) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each condition, under a label made of what differs between the conditions in `told`."""
    by = list(by)
    differing = naming.differing(told, by)
    groups = [(dict(zip(by, map(str, key), strict=True)), rows) for key, rows in frame.groupby(by)]
    for design, rows in sorted(groups, key=lambda group: naming.rank(group[0])):
        yield naming.label({name: design[name] for name in differing}), rows.to_dict("records")


def _sheet(label: str, name: str, figures: Sequence[str | Text]) -> Sheet:
    return Sheet(label, name, [Text(figure) if isinstance(figure, str) else figure for figure in figures])


def _drawn(labels: Sequence[str]) -> list[Text]:
    """The labels as headings, each with its block of the bar."""
    return [Text.assemble(cells.block(place), f" {label}") for place, label in enumerate(labels)]


def _decided(rows: Sequence[Row], name: str, lost: Sequence[str]) -> Named:
    """A row of shares, one for each label, and their bar."""
    figures = [*map(cells.share, rows), *cells.numbers(rows[0], "n", *lost)]
    return name, [*figures, cells.bar([row["count"] for row in rows])]


def _lost(summary: Summary, table: str) -> list[str]:
    return [{"unreadable": UNREADABLE[table], "failed": FAILED}[name] for name in lost(summary)]


def _lost_judgments(summary: Summary) -> list[str]:
    notes = {"unreadable": UNREADABLE_JUDGMENTS, "failed": FAILED_JUDGMENTS}
    return [notes[name] for name in lost_judgments(summary)]


def _and_judgments(summary: Summary) -> str:
    return " and judgments" if any_judgment(summary) else ""


def _heard_before(summary: Summary) -> list[str]:
    """The caveat, where a debate began in round_robin; one that goes on in it began elsewhere."""
    begun = summary.conditions[summary.conditions["stage"] == naming.USUAL["stage"]]
    return [ROUND_ROBIN] if "round_robin" in set(begun["protocol"]) else []


def _seats(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Every seat in the order of the panel, then every model that sits in several."""
    rows = frame[frame["among"] == "all"]
    seats = rows[rows["level"] == "seat"].sort_values([*by, "seat"])
    held = seats.groupby([*by, "model"]).size()
    several = held[held > 1].index
    models = rows[rows["level"] == "debate"].set_index([*by, "model"], drop=False)
    return pd.concat([seats, models[models.index.isin(several)]], ignore_index=True)
