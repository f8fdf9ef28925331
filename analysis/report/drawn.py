"""Frames of estimates as figures: a panel for each heading of conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

import pandas as pd

from analysis.report import stack
from analysis.report.conditions import Conditions
from analysis.report.figure import NARROW, WIDE, Figure, Panel, Room
from analysis.report.forest import Mark, Row, forest, scale, series
from analysis.report.frame import Record, conditions, ends, keys, lines, named, telling, value, values, worded
from analysis.report.matrix import matrix
from analysis.report.stack import Bar
from analysis.report.tabulated import ALL
from analysis.report.units import Unit
from analysis.report.view import View


@dataclass(frozen=True, slots=True)
class Line:
    """The records of one line of a panel, with its label and the group it is in."""

    label: str
    group: str
    records: Sequence[Record]


ROWS = 25
"""Rows of a panel at most, so that it fits on a sheet of paper; more go on in another panel."""

Headed = Mapping[str, Sequence[Line]]
"""The lines below each heading."""


def drawn(name: str, frame: pd.DataFrame, view: View, names: Conditions, unit: Unit) -> Figure | None:
    """The figure of a frame; None where there is to be none, or nothing that it would show is known."""
    shown = view.figure(frame)
    if view.kind == "none" or not shown["estimate"].notna().any():
        return None
    said = worded(shown)
    across = values(said, view.across) if view.across else []
    headed = _split(_headed(said, view, names))
    room = WIDE if len(headed) == 1 else NARROW
    if view.kind == "stack":
        legend, panels = _stacks(headed, view.across, across, room)
    elif view.kind == "matrix":
        legend, panels = None, _matrices(headed, view.across, across, unit)
    else:
        legend, panels = _forests(headed, view.across, across, unit, room)
    return Figure(name, view.caption, legend, panels, shown)


def _headed(frame: pd.DataFrame, view: View, names: Conditions) -> Headed:
    """The lines of the figure below each heading.

    They are told by those of their own keys that tell them apart there, and grouped by condition; where no
    key does, they are told by condition and grouped by protocol.
    """
    found: dict[str, list[tuple[list[str], list[Record]]]] = {}
    for heading, rest, records in conditions(frame, names):
        for said, line in lines(records, [view.headed] if view.headed else []).items():
            found.setdefault(": ".join(filter(None, [heading, said])), []).append((rest, line))
    headed: dict[str, list[Line]] = {}
    for heading, parts in found.items():
        own = _own(frame, view, [record for _, records in parts for record in records])
        headed[heading] = _together(
            [
                Line(said, group, line)
                for rest, records in parts
                for group, said, line in _lines(rest, records, own, len(parts) > 1)
            ]
        )
    return headed


def _split(headed: Headed) -> Headed:
    """The same with at most `ROWS` lines below a heading."""
    found: dict[str, Sequence[Line]] = {}
    for heading, own in headed.items():
        size = ceil(len(own) / ceil(len(own) / ROWS))
        parts = [own[start : start + size] for start in range(0, len(own), size)]
        for number, part in enumerate(parts, start=1):
            place = f"({number} of {len(parts)})" if len(parts) > 1 else ""
            found[" ".join(filter(None, [heading, place]))] = part
    return found


def _lines(
    rest: Sequence[str], records: Sequence[Record], own: Sequence[str], several: bool
) -> Iterator[tuple[str, str, Sequence[Record]]]:
    """Group, label and records of the lines of a condition; a difference beside others names the group."""
    if not own:
        yield rest[0] if len(rest) > 1 else "", ", ".join(rest[1:] or rest) or ALL, records
    apart = [key for key in own if key == "difference" and len(own) > 1]
    others = [key for key in own if key not in apart]
    for line in lines(records, own).values() if own else ():
        group = [*(rest if several else ()), *(value(key, line[0][key]) for key in apart)]
        yield ", ".join(group), named(line[0], others), line


def _together(found: Sequence[Line]) -> list[Line]:
    """The lines of each group next to each other, in the order in which groups come up."""
    groups = list(dict.fromkeys(line.group for line in found))
    return sorted(found, key=lambda line: groups.index(line.group))


def _own(frame: pd.DataFrame, view: View, records: Sequence[Record]) -> list[str]:
    """The keys that tell these records apart; a difference where the frame has several, or no other does."""
    there = [key for key in keys(frame) if key not in (view.across, view.headed)]
    own = telling(records, there)
    if "difference" in there and (frame["difference"].nunique() > 1 or not own):
        own = list(dict.fromkeys([*own, "difference"]))
    return own


def _stacks(headed: Headed, across: str, parts: Sequence[str], room: Room) -> tuple[Panel, list[Panel]]:
    fills = [_fill(part, place, across == "round") for place, part in enumerate(parts)]
    panels = [
        stack.stack(heading, [_bar(line, across, parts) for line in found], parts, fills, room)
        for heading, found in headed.items()
    ]
    return stack.parts(parts, fills, room), panels


def _bar(line: Line, across: str, parts: Sequence[str]) -> Bar:
    shares = {value(across, record[across]): record["estimate"] for record in line.records}
    if any(pd.isna(share) for share in shares.values()):
        return Bar(line.label, line.group, (), "not estimable")
    known = [float(shares.get(part, 0.0)) for part in parts]
    return Bar(line.label, line.group, known, f" of {line.records[0]['denominator']:,.0f}")


def _fill(part: str, place: int, rounds: bool) -> str:
    if not rounds:
        return stack.VERDICTS[place % len(stack.VERDICTS)]
    return stack.NEVER if part == "never" else stack.ROUNDS[min(place, len(stack.ROUNDS) - 1)]


def _forests(
    headed: Headed, across: str, marks: Sequence[str], unit: Unit, room: Room
) -> tuple[Panel | None, list[Panel]]:
    by_panel = {heading: [_row(line, across, marks) for line in found] for heading, found in headed.items()}
    along = scale((row for rows in by_panel.values() for row in rows), room)
    panels = [forest(heading, rows, along, unit) for heading, rows in by_panel.items()]
    return series(marks, room) if len(marks) > 1 else None, panels


def _row(line: Line, across: str, marks: Sequence[str]) -> Row:
    places = [marks.index(value(across, one[across])) if marks else 0 for one in line.records]
    return Row(
        line.label,
        line.group,
        [
            Mark(one["estimate"], *ends(one)[:2], place, one["reason"])
            for one, place in zip(line.records, places, strict=True)
        ],
    )


def _matrices(headed: Headed, across: str, columns: Sequence[str], unit: Unit) -> list[Panel]:
    known = [
        abs(one["estimate"])
        for found in headed.values()
        for line in found
        for one in line.records
        if pd.notna(one["estimate"])
    ]
    parted = [
        (": ".join(filter(None, [heading, group])), [line for line in found if line.group == group])
        for heading, found in headed.items()
        for group in dict.fromkeys(line.group for line in found)
    ]
    room = WIDE if len(parted) == 1 else NARROW
    panels = []
    for title, own in parted:
        fields = {
            (line.label, value(across, one[across])): (float(one["estimate"]), unit.interval(*ends(one)[:2]))
            for line in own
            for one in line.records
            if pd.notna(one["estimate"])
        }
        labels = [line.label for line in own]
        panels.append(matrix(title, labels, columns, fields, max(known), unit, room))
    return panels
