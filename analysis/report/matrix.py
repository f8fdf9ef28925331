"""Figures of estimates that two things decide: a field for each, its number on it and its shade below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.report.figure import LEAD, NARROW, SIZE, Panel, Room, headed
from analysis.report.lines import lines
from analysis.report.svg import broken, tag, tooltip, words
from analysis.report.units import NONE, Unit

APART = 8.0
"""Units between labels and fields."""

HIGH = 26.0

STRONGEST = 0.6
"""Opacity of the strongest shade: numbers on it are read in light and in dark."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a row."""

    label: str
    group: str = ""


Fields = Mapping[tuple[str, str], tuple[float, str]]
"""The estimate of each row and column, and its interval in words."""


def matrix(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    fields: Fields,
    most: float,
    unit: Unit,
    room: Room = NARROW,
) -> Panel:
    """A panel of fields; the strongest shade is that of `most`, that of numbers below 0 another colour.

    Fields without an estimate are empty.
    """
    left = room.labels + APART
    wide = (room.width - left) / len(columns)
    heads = [broken(column, wide - 4, SIZE) for column in columns]
    top = LEAD * max(map(len, heads)) + 4
    laid = lines([Label(row) for row in rows], HIGH, room)
    drawn = [
        words(left + wide * (place + 0.5), 10 + LEAD * at, said, "soft", "middle")
        for place, said_in in enumerate(heads)
        for at, said in enumerate(said_in)
    ]
    fields_drawn = [
        _field(
            left + wide * across,
            middle - HIGH / 2,
            wide - 2,
            fields.get((row, column)),
            most,
            unit,
            f"{row}, {column}",
        )
        for row, middle in zip(rows, laid.middles, strict=True)
        for across, column in enumerate(columns)
    ]
    body = tag("g", laid.names, *fields_drawn, transform=f"translate(0 {top:g})")
    return headed(title, top + laid.height, "".join(drawn) + body, room)


def _field(
    x: float, y: float, wide: float, found: tuple[float, str] | None, most: float, unit: Unit, name: str
) -> str:
    if found is None:
        return words(x + wide / 2, y + HIGH / 2 + 4, NONE, "soft", "middle")
    value, interval = found
    share = abs(value) / most if most else 0.0
    shade = tag(
        "rect",
        kind="f1" if value >= 0 else "f2",
        x=x,
        y=y,
        width=wide,
        height=HIGH,
        fill_opacity=STRONGEST * share,
    )
    number = words(x + wide / 2, y + HIGH / 2 + 4, unit.number(value), "in", "middle")
    return tag("g", tooltip(f"{name}: {unit.number(value)} ({interval})"), shade, number)
