"""The tables of a summary, one function for each: which rows it has, and which figures stand in them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import Any

import pandas as pd
from rich.text import Text

from analysis import cells, naming
from analysis.head import (
    any_failed,
    any_failed_judgment,
    any_judgment,
    any_unreadable,
    any_unreadable_judgment,
    independent,
)
from analysis.measures.distribution import WHEN
from analysis.readings import STATUSES
from analysis.sheet import Named, Sheet
from analysis.summary import Summary

Row = dict[Hashable, Any]


def consensus(summary: Summary) -> Sheet:
    """A row per condition, a column per round."""
    frame, share = summary.consensus, _share(summary)
    rounds = range(1, int(frame["round"].fillna(0).max()) + 1)
    names = [f"round {number}" for number in rounds]
    sheet = _sheet("condition", "", [*names, "never", "debates", *lost(summary)])
    for label, rows in conditions(frame, summary.by, summary.conditions):
        shares = {0 if pd.isna(row["round"]) else row["round"]: share(row) for row in rows}
        by_round = [shares.get(number, Text("–")) for number in (*rounds, 0)]
        figures = [*by_round, *cells.numbers(rows[0], "denominator", *lost(summary))]
        sheet.groups.append((label, [("", figures)]))
    return sheet


def change(summary: Summary) -> Sheet:
    """A row per condition and seat; for a model in several seats also one for the model."""
    figures = ["changed", "ended", "debates", "changed if they\ndisagreed first", "disagreed\nfirst"]
    sheet = _sheet("condition", "seat", [*figures, *lost(summary)])
    keys, share = [*summary.by, "level", "model", "seat"], _share(summary)
    others = {
        (*(row[name] for name in keys), row["among"], row["event"]): row
        for row in summary.change.to_dict("records")
    }
    seats = _seats(summary.change, summary.by)
    for label, rows in conditions(seats, summary.by, summary.conditions):
        group: list[Named] = []
        for row in rows:
            own = tuple(row[name] for name in keys)
            ended, disagreeing = others[(*own, "all", "ended")], others[(*own, "disagreed", "changed")]
            shares = [share(row), share(ended), cells.number(row["denominator"])]
            among = [share(disagreeing), cells.number(disagreeing["denominator"])]
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
        group = [_decided(summary, row, f"{row[0]['model']}\n{row[0]['when']}", lost(summary)) for row in own]
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
        group = [_decided(summary, row, str(row[0]["judge"]), lost_judgments(summary)) for row in own]
        sheet.groups.append((label, group))
    return sheet


def readings(summary: Summary) -> Sheet:
    """A row per model, a column per status."""
    sheet = _sheet("", "model", [*STATUSES, "turns"])
    for model, rows in summary.readings.groupby("model"):
        own = rows.to_dict("records")
        figures = [*map(_share(summary), own), cells.number(own[0]["denominator"])]
        sheet.groups.append(("", [(str(model), figures)]))
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
    """A row per class of error and model, with what was said most often."""
    failed = ["debates", *["judgments"] * any_judgment(summary)]
    sheet = _sheet("", "error", failed)
    for row in summary.failures.to_dict("records"):
        of = f" of {row['model']}" if row["model"] else ""
        told = "\n".join(filter(None, [f"{row['error_class']}{of}", row["said"]]))
        sheet.groups.append(("", [(told, cells.numbers(row, *failed))]))
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


def _share(summary: Summary) -> Callable[[Row], Text]:
    """How a share is told: with the interval for independent debates, or with that by bootstrap."""
    return partial(
        cells.share, ends=("wilson_low", "wilson_high") if independent(summary) else ("low", "high")
    )


def _decided(summary: Summary, rows: Sequence[Row], name: str, lost: Sequence[str]) -> Named:
    """A row of shares, one for each label, and their bar."""
    figures = [*map(_share(summary), rows), *cells.numbers(rows[0], "denominator", *lost)]
    return name, [*figures, cells.bar([row["numerator"] for row in rows])]


def _seats(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Every seat in the order of the panel, then every model that sits in several."""
    rows = frame[(frame["among"] == "all") & (frame["event"] == "changed")]
    seats = rows[rows["level"] == "seat"].sort_values([*by, "seat"])
    held = seats.groupby([*by, "model"]).size()
    several = held[held > 1].index
    models = rows[rows["level"] == "debate"].set_index([*by, "model"], drop=False)
    return pd.concat([seats, models[models.index.isin(several)]], ignore_index=True)
