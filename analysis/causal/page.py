"""The table of the arms for a terminal, and as text."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from io import StringIO
from typing import Any

import pandas as pd
from rich.console import Console, Group
from rich.text import Text

from analysis.causal.quantities import BY_NAME
from analysis.causal.study import Causal
from analysis.report.tabulated import probability
from analysis.report.units import NONE, count
from analysis.sheet import Named, Sheet

WIDTH = 110

MARKED = "* is identified by the design; in log-odds unless in %. Intervals are by case."

COUNTS = ("numerator", "denominator")
LOST = ("unreadable", "failed")

TERMS = {
    "alpha": "Inertia",
    "gamma_prev": "Conformity to the round before",
    "gamma_within": "Conformity within the round",
}

HEADS = ("estimate", "[0.025", "0.975]", "p", "count", "of", "unreadable", "failed")


def page(found: Causal) -> Group:
    """The table with what its lines say, each where it comes first, and notes."""
    shown: list[Text | Sheet] = [Text(f"\n{MARKED}", "dim")]
    told: set[tuple[str, str]] = set()
    for term, own in found.table.groupby("term", sort=False):
        groups = [(str(model), _rows(rows)) for model, rows in own.groupby("model", sort=False)]
        shown += [
            Text(f"\n{TERMS[str(term)]}", "bold"),
            Sheet("model", "estimate of", [*map(Text, HEADS)], groups),
            Text(),
        ]
        says = [one for one in _says(own) if one not in told]
        shown += [Text(f"{words}: {said}", "dim") for words, said in says]
        shown += [Text(said, "yellow") for said in _reasons(own)]
        told.update(says)
    shown += [Text(note, "yellow") for note in found.notes]
    return Group(*shown)


def written(found: Causal) -> str:
    """The page as plain text."""
    text = StringIO()
    Console(file=text, width=WIDTH, color_system=None).print(page(found))
    return text.getvalue()


def _rows(rows: pd.DataFrame) -> list[Named]:
    doses = rows.loc[rows["heard"] > 0, "heard"].nunique() > 1
    return [(_name(row, doses), _cells(row)) for row in rows.to_dict("records")]


def _name(row: Mapping[Hashable, Any], doses: bool) -> str:
    known = BY_NAME[str(row["quantity"])]
    dose = f" ({row['heard']} heard)" if doses and row["heard"] else ""
    return f"{'* ' if known.designed else ''}{known.words}{dose}"


def _cells(row: Mapping[Hashable, Any]) -> list[Text]:
    """The figures of a line; a difference rests on the two lines above it."""
    share = row["scale"] == "probability"
    figures = [_figure(row[one], share) for one in ("estimate", "low", "high")]
    p = row["p"] if row["quantity"] == "conformity" else None
    counts = [NONE if pd.notna(row["against_denominator"]) else count(row[one]) for one in COUNTS]
    lost = [NONE if row["arm"] != "reask" and row["arm"] != "planted" else count(row[one]) for one in LOST]
    said = [*figures, probability(p), *counts, *lost]
    return [Text(one, "bold" if row["designed"] else "") for one in said]


def _figure(value: Any, share: bool) -> str:
    if pd.isna(value):
        return NONE
    return f"{100 * value:.1f}%" if share else f"{value:.3f}"


def _says(table: pd.DataFrame) -> list[tuple[str, str]]:
    """The estimates in words, and what each says."""
    return [(BY_NAME[name].words, BY_NAME[name].says) for name in dict.fromkeys(table["quantity"])]


def _reasons(table: pd.DataFrame) -> Iterator[str]:
    """Why some are missing."""
    for row in table[table["reason"] != ""].to_dict("records"):
        yield f"{row['model']}, {BY_NAME[str(row['quantity'])].words}: {row['reason']}."
