"""Figures of shares that add up to one: a bar for each row, cut into parts that always come in one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.report.figure import NARROW, Panel, Room, headed, legend
from analysis.report.lines import lines
from analysis.report.svg import line, tag, tooltip, words
from analysis.report.units import PERCENT

APART = 8.0
"""Units between labels and bars."""

THICK = 17.0
LEAST = 24.0
"""Units of the least part that has its number written on it."""

VERDICTS = ("f1", "f2", "f4", "f5", "f6")
"""Fills of verdicts and other kinds, by place."""

ROUNDS = ("r1", "r2", "r3", "r4", "r5")
"""Fills of rounds; further rounds keep the last."""

NEVER = "none"
"""Fill of what did not happen; it is hatched too."""

PALE = {"r3", "r4", "r5", "f4", "f5", "f6"}
"""Fills on which letters are dark."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row: its shares, from 0 to 1, in the order of the legend; none where nothing can be shared out."""

    label: str
    group: str
    shares: Sequence[float]
    note: str = ""


def stack(
    title: str, bars: Sequence[Bar], names: Sequence[str], fills: Sequence[str], room: Room = NARROW
) -> Panel:
    """A panel of bars. `names` and `fills` are those of the parts."""
    laid = lines(bars, THICK, room)
    drawn = [
        _bar(bar, middle - THICK / 2, names, fills, room)
        for bar, middle in zip(bars, laid.middles, strict=True)
    ]
    return headed(title, laid.height + 14, laid.names + "".join(drawn) + _scale(laid.height, room), room)


def parts(names: Sequence[str], fills: Sequence[str], room: Room = NARROW) -> Panel:
    """The legend of the parts."""
    marks = [_part(0, -6, 14, 12, fill) for fill in fills]
    return legend(list(zip(marks, names, strict=True)), room)


def _bar(bar: Bar, y: float, names: Sequence[str], fills: Sequence[str], room: Room) -> str:
    left = room.labels + APART
    if not bar.shares:
        return words(left, y + 12, bar.note, "soft")
    drawn, x, whole = [], left, room.width - left
    for share, name, fill in zip(bar.shares, names, fills, strict=True):
        wide = whole * share
        said = tooltip(f"{bar.label}, {name}: {PERCENT.number(share)}%{bar.note}")
        mark = _part(x, y, max(wide - 1, 0), THICK, fill)
        if wide >= LEAST:
            ink = "halo" if fill == NEVER else "on-light" if fill in PALE else "on-dark"
            mark += words(x + wide / 2, y + 12.5, f"{100 * share:.0f}", f"in {ink}", "middle")
        drawn.append(tag("g", said, mark))
        x += wide
    return "".join(drawn)


def _part(x: float, y: float, wide: float, high: float, fill: str) -> str:
    """A part of a bar; that of `NEVER` has a frame and strokes, so that it is empty without colours too."""
    drawn = tag("rect", kind=fill, x=x, y=y, width=wide, height=high)
    if fill != NEVER or wide < 2:
        return drawn
    strokes = range(int(-high), int(wide), 6)
    for start in strokes:
        left, right = max(start, 0.0), min(start + high, wide)
        if right > left:
            drawn += line(x + left, y + high - (left - start), x + right, y + high - (right - start), "hatch")
    return drawn + tag("rect", kind="edge", x=x + 0.4, y=y + 0.4, width=wide - 0.8, height=high - 0.8)


def _scale(y: float, room: Room) -> str:
    left, right = room.labels + APART, room.width
    ticks = [(left, "0", "start"), ((left + right) / 2, "50", "middle"), (right, "100%", "end")]
    return "".join(words(x, y + 8, said, "soft", anchor) for x, said, anchor in ticks)
