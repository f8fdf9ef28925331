"""Frames of estimates as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.report.behind import behind
from analysis.report.conditions import Conditions
from analysis.report.frame import ALIKE, WILSON, Record, conditions, ends, keys, lines, value, values, worded
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.units import NONE, Unit, count, several
from analysis.tally import CONDITION

LOST = ("unreadable", "failed")
"""What left a denominator; a column only where it is not 0 in all rows."""

ALL = "all debates"
"""A condition that nothing tells from others."""

BELOW = ("denominator", "against_denominator", "cases", "p", "p_adjusted")
"""What stands below each estimate of a line where it differs along it."""

MARKED = {
    WILSON: "All cases agree, and draws of cases would give no width: the Wilson interval of n trials.",
    ALIKE: "All cases agree, and draws of cases would give no width: there is no interval.",
}
"""What the marks of intervals mean."""

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

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

    Where conditions have one row each, they stand in the first column, below what they have in common. A key
    that has one value only is told in the caption, and what estimates of one line rest on below each of them
    where it differs. `data` is what its file holds, if that is more than the frame.
    """
    said = worded(frame)
    there = [key for key in keys(said) if key != layout.spread]
    own, constant = _varying(said, there)
    across = values(said, layout.spread) if layout.spread else []
    grid = _Grid(layout, own, across, _apart(said, own, layout), _tail(said), _reasons(said))
    estimates = across or [layout.unit.name]
    tail = [HEADS.get(column, column) for column in grid.after]
    heads = [head.replace("_", " ") for head in [*(own or ["condition"]), *estimates, *tail]]
    notes = " ".join([caption, *constant, *_notes(said)]).strip()
    return Table(
        name, notes, heads, len(own) or 1, list(_groups(said, grid)), frame if data is None else data
    )


@dataclass(frozen=True, slots=True)
class _Grid:
    """What stands where: key columns, the values of the spread one, and the columns after the estimates.

    `apart` are those of the last columns that differ along a line: they stand below each estimate. `reasons`
    are those why something is not estimated, each with its mark.
    """

    layout: Layout
    own: Sequence[str]
    across: Sequence[str]
    apart: Sequence[str]
    tail: Sequence[str]
    reasons: Mapping[str, str]

    @property
    def after(self) -> list[str]:
        """The columns after the estimates."""
        return [column for column in self.tail if column not in self.apart]


def _varying(frame: pd.DataFrame, there: Sequence[str]) -> tuple[list[str], list[str]]:
    """The keys that have several values, the last one anyway; and the others in words."""
    single = [key for key in there if frame[key].nunique(dropna=False) == 1]
    kept = [key for key in there if key not in single] or list(there[-1:])
    constant = [f"{key.capitalize()}: {value(key, frame[key].iloc[0])}." for key in there if key not in kept]
    return kept, constant


def _apart(frame: pd.DataFrame, own: Sequence[str], layout: Layout) -> list[str]:
    """What differs along some line of a spread frame."""
    if not layout.spread:
        return []
    by = [name for name in CONDITION if name in frame]
    alike = frame.astype(dict.fromkeys([*by, *own], "str")).groupby([*by, *own], dropna=False)
    asked = [name for name in BELOW if name in frame]
    differing = alike[asked].nunique(dropna=False).max() > 1
    found = [name for name in asked if bool(differing[name])]
    sides = [BELOW[0]] if "against_denominator" in found else []
    return list(dict.fromkeys([*sides, *found]))


def _notes(frame: pd.DataFrame) -> list[str]:
    """What is to be said of the marks in the table."""
    reasons = [f"{mark} {reason}." for reason, mark in _reasons(frame).items()]
    marks = {ends(record)[2] for record in frame.to_dict("records")}
    return [*(f"{mark} {said}" for mark, said in MARKED.items() if mark in marks), *reasons]


def _reasons(frame: pd.DataFrame) -> dict[str, str]:
    """Why something is not estimated, with raised numbers as marks."""
    found = [str(reason) for reason in frame["reason"].unique() if reason]
    return {reason: str(number).translate(RAISED) for number, reason in enumerate(found, start=1)}


def _groups(frame: pd.DataFrame, grid: _Grid) -> Iterator[Group]:
    rows: dict[str, list[Row]] = {}
    for heading, rest, records in conditions(frame, grid.layout.names):
        label = ": ".join(filter(None, [heading, ", ".join(rest)])) if grid.own else heading
        for line in lines(records, grid.own).values():
            named = [Cell(value(key, line[0][key]) or NONE) for key in grid.own]
            cells, after = _cells(line, grid), [_last(line, column) for column in grid.after]
            row = [*(named or [Cell(", ".join(rest) or ALL)]), *cells, *after]
            rows.setdefault(label, []).append(row)
    return (Group(label, found) for label, found in rows.items())


def _cells(line: Sequence[Record], grid: _Grid) -> list[Cell]:
    spread = grid.layout.spread
    if not spread:
        return [_estimate(record, grid) for record in line]
    found = {value(spread, record[spread]): record for record in line}
    return [_estimate(found[one], grid) if one in found else Cell(NONE) for one in grid.across]


def _estimate(record: Record, grid: _Grid) -> Cell:
    low, high, mark = ends(record)
    interval = grid.layout.unit.interval(low, high) + mark
    said = grid.layout.unit.number(record["estimate"]) + grid.reasons.get(str(record["reason"]), "")
    return Cell(said, interval, _rests(record, grid.apart), behind(record))


def _rests(record: Record, apart: Sequence[str]) -> str:
    """What an estimate rests on, where that differs along its line."""
    said = {
        "denominator": f"n {_sides(record)}",
        "cases": several(int(record["cases"]), "case"),
        "p": f"p {probability(record.get('p'))}",
        "p_adjusted": f"adjusted {probability(record.get('p_adjusted'))}",
    }
    known = {name: said[name] for name in apart if name in said and pd.notna(record.get(name))}
    return ", ".join(known.values())


def _sides(record: Record) -> str:
    """The denominator; of a difference both, where they differ."""
    sides = [record["denominator"], record.get("against_denominator")]
    return "; ".join(dict.fromkeys(count(side) for side in sides if pd.notna(side))) or NONE


def _tail(frame: pd.DataFrame) -> list[str]:
    """The columns after the estimate that have something to say."""
    tested = [column for column in ("p", "p_adjusted") if column in frame and frame[column].notna().any()]
    lost = [column for column in LOST if frame[column].sum()]
    return [*tested, "denominator", "cases", *lost]


def _last(line: Sequence[Record], column: str) -> Cell:
    """What a line says in one of these columns; where its records differ, one after another."""
    return Cell("; ".join(dict.fromkeys(_ending(one, column) for one in line)))


def _ending(record: Record, column: str) -> str:
    if column == "denominator":
        return _sides(record)
    return probability(record[column]) if column in ("p", "p_adjusted") else count(record[column])


def probability(p: float | None) -> str:
    """A p value with three decimals; "<0.001" below."""
    if pd.isna(p):
        return NONE
    return "<0.001" if float(p or 0) < 0.001 else f"{p:.3f}"
