"""Frames of estimates as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.report.conditions import Conditions
from analysis.report.frame import Record, conditions, keys, lines, value, values, worded
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.units import NONE, Unit, count

LOST = ("unreadable", "failed")
"""What left a denominator; a column only where it is not 0 in all rows."""

ALL = "all debates"
"""A condition that nothing tells from others."""

HEADS = {"p_adjusted": "p adjusted", "denominator": "n"}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a frame is laid out: by which names, in which unit, and over which key column it is `spread`."""

    names: Conditions
    unit: Unit
    spread: str = ""


def tabulated(
    name: str, caption: str, frame: pd.DataFrame, layout: Layout, data: pd.DataFrame | None = None
) -> Table:
    """The table of a frame: below the name of each condition a row for each of its keys.

    Where conditions have one row each, they stand in the first column, below what they have in common.
    `data` is what its file holds, if that is more than the frame.
    """
    said = worded(frame)
    own = [key for key in keys(said) if key != layout.spread]
    across = values(said, layout.spread) if layout.spread else []
    tail = _tail(said)
    groups = list(_groups(said, layout, own, across, tail))
    estimates = across or [layout.unit.name]
    heads = [*(own or ["condition"]), *estimates, *(HEADS.get(column, column) for column in tail)]
    heads = [head.replace("_", " ") for head in heads]
    return Table(name, caption, heads, len(own) or 1, groups, frame if data is None else data)


def _groups(
    frame: pd.DataFrame, layout: Layout, own: Sequence[str], across: Sequence[str], tail: Sequence[str]
) -> Iterator[Group]:
    rows: dict[str, list[Row]] = {}
    for heading, rest, records in conditions(frame, layout.names):
        label = ": ".join(filter(None, [heading, ", ".join(rest)])) if own else heading
        for line in lines(records, own).values():
            names = [Cell(value(key, line[0][key]) or NONE) for key in own] or [Cell(", ".join(rest) or ALL)]
            cells = _cells(line, layout, across)
            rows.setdefault(label, []).append([*names, *cells, *(_last(line, column) for column in tail)])
    return (Group(label, found) for label, found in rows.items())


def _cells(line: Sequence[Record], layout: Layout, across: Sequence[str]) -> list[Cell]:
    if not layout.spread:
        return [_estimate(record, layout.unit) for record in line]
    found = {value(layout.spread, record[layout.spread]): record for record in line}
    return [_estimate(found[one], layout.unit) if one in found else Cell(NONE) for one in across]


def _estimate(record: Record, unit: Unit) -> Cell:
    return Cell(unit.number(record["estimate"]), unit.interval(record["low"], record["high"]))


def _tail(frame: pd.DataFrame) -> list[str]:
    """The columns after the estimate that have something to say."""
    tested = [column for column in ("p", "p_adjusted") if column in frame and frame[column].notna().any()]
    lost = [column for column in LOST if frame[column].sum()]
    reasons = ["reason"] if frame["reason"].astype(bool).any() else []
    return [*tested, "denominator", "cases", *lost, *reasons]


def _last(line: Sequence[Record], column: str) -> Cell:
    """What a line says in one of these columns; where its records differ, from least to most."""
    if column == "reason":
        return Cell("; ".join(dict.fromkeys(str(one[column]) for one in line if one[column])))
    if column in ("p", "p_adjusted"):
        return Cell(probability(line[0][column]))
    found = [one[column] for one in line if pd.notna(one[column])]
    if not found or min(found) == max(found):
        return Cell(count(found[0] if found else None))
    return Cell(f"{count(min(found))}–{count(max(found))}")


def probability(p: float | None) -> str:
    """A p value with three decimals; "<0.001" below."""
    if pd.isna(p):
        return NONE
    return "<0.001" if float(p or 0) < 0.001 else f"{p:.3f}"
