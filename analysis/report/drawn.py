"""Frames of estimates as figures: a panel for each heading of conditions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.report import stack
from analysis.report.conditions import Conditions
from analysis.report.figure import Figure, Panel
from analysis.report.forest import Mark, Row, forest, scale, series
from analysis.report.frame import Record, conditions, keys, named, value, values
from analysis.report.matrix import matrix
from analysis.report.stack import Bar
from analysis.report.units import Unit
from analysis.report.view import View

Headed = Mapping[str, Sequence[tuple[str, Sequence[Record]]]]
"""Under each heading the conditions, with their records."""


def drawn(name: str, frame: pd.DataFrame, view: View, names: Conditions, unit: Unit) -> Figure | None:
    """The figure of a frame; None where no estimate of what it would show is known."""
    shown = frame
    for column, allowed in view.only.items():
        shown = shown[shown[column].astype("str").isin(allowed)]
    if not shown["estimate"].notna().any():
        return None
    headed: dict[str, list[tuple[str, Sequence[Record]]]] = {}
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


def _stacks(frame: pd.DataFrame, view: View, headed: Headed) -> tuple[Panel, list[Panel]]:
    parts = values(frame, view.across)
    rounds = view.across == "round"
    fills = [_fill(part, place, rounds) for place, part in enumerate(parts)]
    own = _own(frame, view)
    panels = []
    for heading, found in headed.items():
        bars = []
        for rest, records in found:
            lines: dict[str, list[Record]] = {}
            for record in records:
                lines.setdefault(named(record, own) if own else "", []).append(record)
            for said, line in lines.items():
                label = ", ".join(filter(None, [rest if len(found) > 1 else "", said])) or rest
                bars.append(_bar(label, line, view.across, parts))
        panels.append(stack.stack(heading, bars, parts, fills))
    return stack.parts(parts, fills), panels


def _bar(label: str, line: Sequence[Record], across: str, parts: Sequence[str]) -> Bar:
    shares = {value(across, record[across]): record["estimate"] for record in line}
    if any(pd.isna(share) for share in shares.values()):
        return Bar(label, (), "not estimable")
    return Bar(label, [float(shares.get(part, 0.0)) for part in parts], f" of {line[0]['denominator']:,}")


def _fill(part: str, place: int, rounds: bool) -> str:
    if not rounds:
        return stack.VERDICTS[place % len(stack.VERDICTS)]
    return stack.NEVER if part == "never" else stack.ROUNDS[min(place, len(stack.ROUNDS) - 1)]


def _forests(
    frame: pd.DataFrame, view: View, headed: Headed, unit: Unit
) -> tuple[Panel | None, list[Panel]]:
    across = values(frame, view.across) if view.across else []
    own = _own(frame, view)
    by_panel = {heading: _rows(found, own, across, view) for heading, found in headed.items()}
    along = scale(row for rows in by_panel.values() for row in rows)
    panels = [forest(heading, rows, along, unit) for heading, rows in by_panel.items()]
    return series(across) if len(across) > 1 else None, panels


def _rows(
    found: Sequence[tuple[str, Sequence[Record]]], own: Sequence[str], across: Sequence[str], view: View
) -> list[Row]:
    """The rows of a panel: by condition, and within by their own keys; where they have none, by condition."""
    rows = []
    for rest, records in found:
        lines: dict[str, list[Mark]] = {}
        for record in records:
            place = across.index(value(view.across, record[view.across])) if across else 0
            mark = Mark(record["estimate"], record["low"], record["high"], place, record["reason"])
            lines.setdefault(named(record, own) if own else "", []).append(mark)
        kept = _farthest(lines, view.most)
        if own:
            rows += [Row(said, marks, rest if len(found) > 1 else "") for said, marks in kept.items()]
        else:
            rows += [Row(rest, marks) for marks in kept.values()]
    return rows


def _farthest(lines: Mapping[str, list[Mark]], most: int) -> Mapping[str, list[Mark]]:
    """The lines whose estimates are farthest from 0, from the highest to the lowest; all, as they come, for 0."""
    if not most:
        return lines
    first = {said: marks[0].estimate for said, marks in lines.items()}
    known = {said: float(one or 0.0) for said, one in first.items() if pd.notna(one)}
    far = sorted(known, key=lambda said: (-abs(known[said]), said))[:most]
    return {said: lines[said] for said in sorted(far, key=lambda said: (-known[said], said))}


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
            title = f"{heading}: {rest}" if len(found) > 1 else heading
            panels.append(matrix(title, rows, columns, fields, most, unit))
    return panels
