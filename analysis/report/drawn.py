"""Frames of estimates as figures: a panel for each heading of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from analysis.report import stack
from analysis.report.conditions import Conditions
from analysis.report.figure import Figure, Panel
from analysis.report.forest import Mark, Row, forest, scale, series
from analysis.report.frame import Record, conditions, keys, lines, named, value, values
from analysis.report.matrix import matrix
from analysis.report.stack import Bar
from analysis.report.tabulated import ALL
from analysis.report.units import Unit
from analysis.report.view import View

Found = Sequence[tuple[Sequence[str], Sequence[Record]]]
"""Conditions under one heading: what tells each from the others, and its records."""

Headed = Mapping[str, Found]


def drawn(name: str, frame: pd.DataFrame, view: View, names: Conditions, unit: Unit) -> Figure | None:
    """The figure of a frame; None where no estimate of what it would show is known."""
    shown = frame
    for column, allowed in view.only.items():
        shown = shown[shown[column].astype("str").isin(allowed)]
    if not shown["estimate"].notna().any():
        return None
    headed: dict[str, list[tuple[list[str], list[Record]]]] = {}
    for heading, rest, records in conditions(shown, names):
        headed.setdefault(heading, []).append((rest, records))
    if view.kind == "stack":
        legend, panels = _stacks(shown, view, headed)
    elif view.kind == "matrix":
        legend, panels = None, _matrices(shown, view, headed, unit)
    else:
        legend, panels = _forests(shown, view, headed, unit)
    return Figure(name, view.caption, legend, panels, shown)


def _own(frame: pd.DataFrame, view: View) -> list[str]:
    """The key columns that tell rows of the figure apart."""
    return [key for key in keys(frame) if key != view.across and frame[key].nunique(dropna=False) > 1]


def _placed(found: Found, own: Sequence[str]) -> Iterator[tuple[str, str, Sequence[Record]]]:
    """Group, label and records of every line of a panel.

    Lines are told by their own keys and grouped by condition, and the first key is said once for all that
    follow; where they have none, they are told by condition and grouped by protocol.
    """
    for rest, records in found:
        before = ""
        for said, line in lines(records, own).items():
            if own:
                first, comma, last = said.partition(", ")
                label = f"\u2003{last}" if comma and first == before else said
                before = first
                yield ", ".join(rest) if len(found) > 1 else "", label, line
            else:
                yield rest[0] if len(rest) > 1 else "", ", ".join(rest[1:] or rest) or ALL, line


def _stacks(frame: pd.DataFrame, view: View, headed: Headed) -> tuple[Panel, list[Panel]]:
    parts, own = values(frame, view.across), _own(frame, view)
    fills = [_fill(part, place, view.across == "round") for place, part in enumerate(parts)]
    panels = [
        stack.stack(
            heading, [_bar(*placed, view.across, parts) for placed in _placed(found, own)], parts, fills
        )
        for heading, found in headed.items()
    ]
    return stack.parts(parts, fills), panels


def _bar(group: str, label: str, line: Sequence[Record], across: str, parts: Sequence[str]) -> Bar:
    shares = {value(across, record[across]): record["estimate"] for record in line}
    if any(pd.isna(share) for share in shares.values()):
        return Bar(label, group, (), "not estimable")
    known = [float(shares.get(part, 0.0)) for part in parts]
    return Bar(label, group, known, f" of {line[0]['denominator']:,}")


def _fill(part: str, place: int, rounds: bool) -> str:
    if not rounds:
        return stack.VERDICTS[place % len(stack.VERDICTS)]
    return stack.NEVER if part == "never" else stack.ROUNDS[min(place, len(stack.ROUNDS) - 1)]


def _forests(frame: pd.DataFrame, view: View, headed: Headed, unit: Unit) -> tuple[Panel | None, list[Panel]]:
    across = values(frame, view.across) if view.across else []
    own = _own(frame, view)
    by_panel = {heading: _rows(found, own, across, view) for heading, found in headed.items()}
    along = scale(row for rows in by_panel.values() for row in rows)
    panels = [forest(heading, rows, along, unit) for heading, rows in by_panel.items()]
    return series(across) if len(across) > 1 else None, panels


def _rows(found: Found, own: Sequence[str], across: Sequence[str], view: View) -> list[Row]:
    rows = []
    for group, label, line in _placed(found, own):
        places = [across.index(value(view.across, one[view.across])) if across else 0 for one in line]
        marks = [
            Mark(one["estimate"], one["low"], one["high"], place, one["reason"])
            for one, place in zip(line, places, strict=True)
        ]
        rows.append(Row(label, group, marks))
    return _farthest(rows, view.most) if view.most else rows


def _farthest(rows: Sequence[Row], most: int) -> list[Row]:
    """The rows of each group whose first estimates are farthest from 0, from the highest to the lowest."""
    known = [row for row in rows if pd.notna(row.marks[0].estimate)]

    def height(row: Row) -> float:
        return float(row.marks[0].estimate or 0.0)

    kept = []
    for group in dict.fromkeys(row.group for row in known):
        own = sorted(
            (row for row in known if row.group == group), key=lambda row: (-abs(height(row)), row.label)
        )
        kept += sorted(own[:most], key=lambda row: (-height(row), row.label))
    return kept


def _matrices(frame: pd.DataFrame, view: View, headed: Headed, unit: Unit) -> list[Panel]:
    columns = values(frame, view.across)
    own = _own(frame, view)
    most = float(frame["estimate"].abs().max())
    panels = []
    for heading, found in headed.items():
        for rest, records in found:
            fields = {
                (named(one, own), value(view.across, one[view.across])): (
                    float(one["estimate"]),
                    unit.interval(one["low"], one["high"]),
                )
                for one in records
                if pd.notna(one["estimate"])
            }
            rows = list(dict.fromkeys(named(one, own) for one in records))
            title = ": ".join(filter(None, [heading, ", ".join(rest)])) if len(found) > 1 else heading
            panels.append(matrix(title, rows, columns, fields, most, unit))
    return panels
