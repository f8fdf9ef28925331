"""The left side of a figure of rows: their labels, below the names of the groups they are in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from analysis.report.figure import LEAD, NARROW, SIZE, Room
from analysis.report.svg import broken, words

BETWEEN = 4.0
"""Units between two rows, and above the name of a group."""


class Line(Protocol):
    """A row. Those of one `group` that follow each other stand below its name; "" is none."""

    @property
    def label(self) -> str:
        """Its label."""

    @property
    def group(self) -> str:
        """Its group."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Labels and names of groups as markup, the middle of each row, and the height of all.

    `spans` are the top and bottom of rows that follow each other without the name of a group between them.
    """

    names: str
    middles: Sequence[float]
    spans: Sequence[tuple[float, float]]
    height: float


def lines(rows: Sequence[Line], least: float = LEAD, room: Room = NARROW) -> Lines:
    """Rows below each other, each at least so high, with their labels on the left of this room."""
    drawn: list[str] = []
    middles: list[float] = []
    tops, bottoms, y, group, before = [0.0], list[float](), 0.0, "", ""
    for row in rows:
        if row.group != group:
            bottoms, group, y, before = [*bottoms, y], row.group, y + BETWEEN, ""
            for said in broken(group, room.width, SIZE):
                drawn.append(words(0, y + 12, said, "group"))
                y += LEAD + 1
            tops.append(y)
        said_in = broken(_short(row.label, before), room.labels, SIZE)
        before = row.label
        height = max(least, LEAD * len(said_in))
        first = y + height / 2 + 4 - LEAD * (len(said_in) - 1) / 2
        drawn += [words(0, first + LEAD * place, said) for place, said in enumerate(said_in)]
        middles.append(y + height / 2)
        y += height + BETWEEN
    return Lines("".join(drawn), middles, list(zip(tops, [*bottoms, y], strict=True)), y)


def _short(label: str, before: str) -> str:
    """A label without its first part, where that of the label before is the same."""
    first, comma, rest = label.partition(", ")
    return f"\u2003{rest}" if comma and before.startswith(first + comma) else label
