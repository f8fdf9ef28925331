"""Figures of estimates with their intervals: a row for each, on one scale for all panels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.report.figure import LEAD, NARROW, Panel, Room, headed, legend
from analysis.report.lines import Lines, lines
from analysis.report.svg import line, tag, tooltip, words
from analysis.report.units import Unit

NUMBERS = 42.0
"""Units for the numbers on the right."""

APART = 6.0
"""Units between the marks of a line, where they are more than two."""

GAP = 12.0
"""Units between labels and the scale."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An estimate; null with a `reason` where there is none. `series` from 0 is told by colour and shape."""

    estimate: float | None
    low: float | None = None
    high: float | None = None
    series: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """The marks on one line."""

    label: str
    group: str
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where numbers go, at which there are ticks, and the room for them."""

    low: float
    high: float
    ticks: Sequence[float]
    room: Room = NARROW

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.room.labels + GAP

    def x(self, value: float) -> float:
        """Where a number stands; one beyond the scale, at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.room.width - NUMBERS - 8 - self.left)


def scale(rows: Iterable[Row], room: Room = NARROW) -> Scale:
    """A scale that holds 0 and all estimates with their intervals, with 3 to 6 round ticks."""
    marks = [mark for row in rows for mark in row.marks]
    found = [x for mark in marks for x in (mark.estimate, mark.low, mark.high) if pd.notna(x)]
    low, high = min([0.0, *found]), max([0.0, *found])
    span = high - low or 1.0
    step = 10.0 ** math.floor(math.log10(span / 3))
    step *= max(factor for factor in (1, 2, 2.5, 5) if factor * step <= span / 2.4)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = [step * place for place in range(first, max(last, first + 1) + 1)]
    return Scale(ticks[0], ticks[-1], ticks, room)


ODDS_TICKS = ((0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50), (0.01, 0.1, 1, 10, 100))
"""Odds ratios that may have a tick, closely and widely."""


def odds_scale(rows: Iterable[Row]) -> Scale:
    """A scale of logarithms of odds ratios that holds 1 and the estimates, with ticks at round ratios.

    It ends at 0.01 and 100: what is beyond stands at its end.
    """
    marks = [mark for row in rows for mark in row.marks]
    found = [float(x) for mark in marks for x in (mark.estimate, mark.low, mark.high) if pd.notna(x)]
    close, wide = ([math.log(tick) for tick in ticks] for ticks in ODDS_TICKS)
    inside = [min(max(x, wide[0]), wide[-1]) for x in [*found, 0.0]]
    ticks = close if min(inside) >= close[0] and max(inside) <= close[-1] else wide
    first = max(tick for tick in ticks if tick <= min(inside))
    last = min(tick for tick in ticks if tick >= max(inside))
    kept = [tick for tick in ticks if first <= tick <= max(last, ticks[ticks.index(first) + 1])]
    return Scale(kept[0], kept[-1], kept)


def forest(title: str, rows: Sequence[Row], along: Scale, unit: Unit) -> Panel:
    """A panel with a row for each estimate, its number at the right where it is alone on its line."""
    laid = lines(rows, max(LEAD, APART * max(len(row.marks) for row in rows)), along.room)
    drawn = [_row(row, middle, along, unit) for row, middle in zip(rows, laid.middles, strict=True)]
    return headed(title, laid.height + 18, _axis(along, unit, laid) + laid.names + "".join(drawn), along.room)


def series(names: Sequence[str], room: Room = NARROW) -> Panel:
    """The legend of the series of marks."""
    return legend([(_shape(place, 7, 0), name) for place, name in enumerate(names)], room)


def _row(row: Row, y: float, along: Scale, unit: Unit) -> str:
    known = [mark for mark in row.marks if pd.notna(mark.estimate)]
    if not known:
        return words(along.left, y + 4, "not estimable", "soft") + tooltip(row.marks[0].reason)
    apart = APART if len(row.marks) > 2 else 0.0
    drawn = [
        _mark(mark, y + apart * (place - (len(known) - 1) / 2), along, unit, row.label)
        for place, mark in enumerate(known)
    ]
    if len(row.marks) == 1:
        drawn.append(words(along.room.width, y + 4, unit.number(known[0].estimate), anchor="end"))
    return "".join(drawn)


def _mark(mark: Mark, y: float, along: Scale, unit: Unit, label: str) -> str:
    stroke = f"interval s{mark.series % 6 + 1}"
    value = float(mark.estimate or 0.0)
    said = f"{label}: {unit.number(value)} ({unit.interval(mark.low, mark.high) or 'no interval'})"
    whisker = ""
    if pd.notna(mark.low) and pd.notna(mark.high):
        whisker = line(along.x(float(mark.low or 0)), y, along.x(float(mark.high or 0)), y, stroke)
    return tag("g", tooltip(said), whisker, _shape(mark.series, along.x(value), y))


def _shape(place: int, x: float, y: float) -> str:
    """A mark of its own for each of twelve series: full or hollow circles, diamonds and squares."""
    hollow = (place + place // 6) % 2
    kind = f"hollow s{place % 6 + 1}" if hollow else f"f{place % 6 + 1}"
    if place % 6 < 2:
        return tag("circle", kind=kind, cx=x, cy=y, r=4)
    if place % 6 < 4:
        return tag("path", kind=kind, d=f"M{x:.2f} {y - 5:.2f}l5 5l-5 5l-5-5z")
    return tag("rect", kind=kind, x=x - 3.6, y=y - 3.6, width=7.2, height=7.2)


def _axis(along: Scale, unit: Unit, laid: Lines) -> str:
    """Lines at the ticks behind the rows, and their numbers below."""
    drawn = []
    for tick in along.ticks:
        x, kind = along.x(tick), "zero" if abs(tick) < 1e-12 else "grid"
        drawn += [line(x, top, x, bottom, kind) for top, bottom in laid.spans if top < bottom]
        drawn.append(words(x, laid.height + 14, _tick(tick, unit), "soft", "middle"))
    return "".join(drawn)


def _tick(value: float, unit: Unit) -> str:
    if unit.log:
        return f"{math.exp(value):.10g}"
    said = f"{unit.scale * value:+.10g}" if unit.sign and abs(value) > 1e-12 else f"{unit.scale * value:.10g}"
    return said.replace("-", "−")
