"""The summary of a run as tables for a terminal, or for a pipe 100 columns wide."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import pandas as pd
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analysis import cells
from analysis.consensus import Missing
from analysis.distribution import WHEN
from analysis.readings import STATUSES
from analysis.summary import Summary
from analysis.tally import CONDITION, groups

Row = dict[Hashable, Any]

UNREADABLE_TURNS: dict[Missing, str] = {
    "disagree": "an unreadable turn agrees with nothing",
    "exclude": "debates with an unreadable turn left out",
    "worst": "an unreadable turn agrees with everything: the most consensus there can be",
}


def render(summary: Summary) -> Group:
    """Everything a summary holds, one table below the other; a table without rows is left out."""
    tables: list[tuple[pd.DataFrame, str, str, Callable[[Summary], Table]]] = [
        (
            summary.consensus,
            "In which round did all seats first agree?",
            f"Share of debates; {UNREADABLE_TURNS[summary.missing]}.",
            consensus,
        ),
        (
            summary.change,
            "How often did a seat leave its first verdict?",
            "Share of debates with a readable first verdict of the seat. Changed: any later verdict differs;"
            " ended: the last one does.",
            change,
        ),
        (
            summary.verdicts,
            "Which verdicts did the models give, first and last?",
            "Share of readable verdicts.",
            verdicts,
        ),
        (
            summary.readings,
            "Could the turns be read?",
            "Share of turns; ok and repaired carry a verdict, the others are unreadable.",
            readings,
        ),
        (
            summary.models,
            "What did each model do?",
            "In finished debates; – where a backend did not say.",
            models,
        ),
        (
            summary.failures,
            "Why did debates fail?",
            "Failed debates by their last error; they are in no other figure.",
            failures,
        ),
    ]
    shown: list[RenderableType] = [head(summary)]
    for frame, title, caption, make in tables:
        if not frame.empty:
            shown += [cells.heading(title, caption), make(summary)]
    return Group(*shown)


def head(summary: Summary) -> Text:
    """What the run is, what it took, and what is the same in all of its conditions."""
    [total] = summary.totals.to_dict("records")
    count = {name: cells.number(value) for name, value in total.items() if name != "cost_usd"}
    same = cells.same(designs(summary))
    lines = [
        Text(summary.run, style="bold"),
        Text(f"{count['debates']} debates finished, {count['failed']} failed, {count['calls']} calls"),
        Text(
            f"{count['prompt_tokens']} tokens read (of them cached: {count['cached_tokens']}),"
            f" {count['completion_tokens']} written, {cells.money(total['cost_usd'])}"
        ),
        *([Text(f"everywhere: {same}", style="dim")] if same else []),
        Text("below each share: its 95% Wilson interval in percent; n: what it is a share of", style="dim"),
    ]
    return Text("\n").join(lines)


def consensus(summary: Summary) -> Table:
    """A row per condition, a column per round."""
    frame = summary.consensus
    rounds = range(1, int(frame["round"].fillna(0).max()) + 1)
    names = [f"round {number}" for number in rounds]
    table = cells.table(["condition"], [*names, "never", "n", "unreadable", "failed"])
    for label, rows in conditions(frame, summary):
        shares = {0 if pd.isna(row["round"]) else row["round"]: cells.share(row) for row in rows}
        by_round = [shares.get(number, Text("–")) for number in (*rounds, 0)]
        table.add_row(label, *by_round, *cells.numbers(rows[0], "n", "unreadable", "failed"))
    return table


def change(summary: Summary) -> Table:
    """A row per condition and seat; for a model in several seats also one for the model."""
    table = cells.table(
        ["condition", "seat"],
        [
            "changed",
            "ended",
            "n",
            "changed if they\ndisagreed first",
            "n",
            "unreadable",
            "failed",
        ],
    )
    keys = [*CONDITION, "level", "model", "seat"]
    disagreed = summary.change[summary.change["among"] == "disagreed"]
    apart = {tuple(row[name] for name in keys): row for row in disagreed.to_dict("records")}
    for label, rows in conditions(_seats(summary.change), summary):
        for place, row in enumerate(rows):
            disagreeing = apart.get(tuple(row[name] for name in keys), {"n": 0})
            table.add_row(
                "" if place else label,
                f"{row['seat'] or 'any seat'}\n{row['model']}",
                cells.share(row),
                cells.share(row, "ended_"),
                *cells.numbers(row, "n"),
                cells.share(disagreeing),
                *cells.numbers(disagreeing, "n"),
                *cells.numbers(row, "unreadable", "failed"),
            )
    return table


def verdicts(summary: Summary) -> Table:
    """Per condition and model two rows: verdicts in round 1, and in the last round."""
    frame = summary.verdicts[summary.verdicts["when"] != WHEN[2]]
    labels = list(frame["verdict"].unique())
    named = [Text.assemble(cells.block(place), f" {label}") for place, label in enumerate(labels)]
    table = cells.table(["condition", "model"], [*named, "", "n", "unreadable", "failed"])
    for label, rows in conditions(frame, summary):
        for start in range(0, len(rows), len(labels)):
            own = rows[start : start + len(labels)]
            table.add_row(
                "" if start else label,
                f"{own[0]['model']}\n{own[0]['when']}",
                *map(cells.share, own),
                cells.bar([row["count"] for row in own]),
                *cells.numbers(own[0], "n", "unreadable", "failed"),
            )
    return table


def readings(summary: Summary) -> Table:
    """A row per model, a column per status."""
    table = cells.table(["model"], [*STATUSES, "turns"])
    for model, rows in summary.readings.groupby("model"):
        own = rows.to_dict("records")
        table.add_row(str(model), *map(cells.share, own), *cells.numbers(own[0], "n"))
    return table


def models(summary: Summary) -> Table:
    """A row per model: calls, tokens, money."""
    table = cells.table(["model"], ["calls", "tokens read", "of them cached", "tokens written", "cost"])
    for row in summary.models.to_dict("records"):
        counts = cells.numbers(row, "calls", "prompt_tokens", "cached_tokens", "completion_tokens")
        table.add_row(str(row["model"]), *counts, cells.money(row["cost_usd"]))
    return table


def failures(summary: Summary) -> Table:
    """A row per class of error."""
    table = cells.table(["error"], ["debates"])
    for row in summary.failures.to_dict("records"):
        table.add_row(str(row["error_class"]), *cells.numbers(row, "debates"))
    return table


def designs(summary: Summary) -> pd.DataFrame:
    """The conditions of the run, one a row."""
    return groups(CONDITION, summary.verdicts, summary.consensus)


def conditions(frame: pd.DataFrame, summary: Summary) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each condition, under a label made of what differs between conditions of the run."""
    differing = cells.differing(designs(summary))
    for key, rows in frame.groupby(list(CONDITION), sort=False):
        design = dict(zip(CONDITION, map(str, key), strict=True))
        yield cells.label({name: design[name] for name in differing}), rows.to_dict("records")


def _seats(frame: pd.DataFrame) -> pd.DataFrame:
    """Every seat in the order of the panel, then every model that sits in several."""
    rows = frame[frame["among"] == "all"]
    seats = rows[rows["level"] == "seat"].sort_values([*CONDITION, "seat"])
    held = seats.groupby([*CONDITION, "model"]).size()
    several = held[held > 1].index
    models = rows[rows["level"] == "debate"].set_index([*CONDITION, "model"], drop=False)
    return pd.concat([seats, models[models.index.isin(several)]], ignore_index=True)
