"""A figure: small panels, beside each other or below as the page allows, or a wide one alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import pandas as pd

from analysis.report.svg import LETTER, broken, tag, tooltip, words

SIZE = 12.0
"""Units of a letter."""

LEAD = 15.0
"""Units from one line of text to the next."""

GAP = 28.0
"""Units between the panels of a file."""

STYLE = files("analysis.report").joinpath("templates/figure.css").read_text("utf-8")
"""Colours and fonts of figures, in the page and in files, in light and in dark."""


@dataclass(frozen=True, slots=True)
class Room:
    """How wide a panel is from left to right, and how much of that its labels may take, in units."""

    width: float
    labels: float


NARROW = Room(340.0, 130.0)
"""What a phone shows without making letters small."""

WIDE = Room(680.0, 260.0)
"""For a panel that stands alone: as wide as the text of a page."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing as wide as its room; a legend is one too. `body` is markup."""

    title: str
    height: float
    body: str
    room: Room = NARROW

    @property
    def svg(self) -> str:
        """The panel as an element of a page."""
        return tag(
            "svg",
            tooltip(self.title),
            self.body,
            kind="panel wide" if self.room == WIDE else "panel",
            role="img",
            viewBox=f"0 0 {self.room.width:g} {self.height:.0f}",
        )


@dataclass(frozen=True, slots=True, repr=False)
class Figure:
    """Panels, what tells their marks apart, and the data that they show, one row a mark.

    `name` is that of its files; `caption` says what it shows.
    """

    name: str
    caption: str
    legend: Panel | None
    panels: Sequence[Panel]
    data: pd.DataFrame

    @property
    def file(self) -> str:
        """The figure as a file of its own: the legend, below it the panels in two columns."""
        columns = 2 if len(self.panels) > 1 else 1
        across = self.panels[0].room.width
        top = 8 + (self.legend.height + GAP / 2 if self.legend else 0)
        parts, ends = [_at(8, 8, self.legend)] if self.legend else [], [top] * columns
        for panel in self.panels:
            column = ends.index(min(ends))
            parts.append(_at(8 + column * (across + GAP), ends[column], panel))
            ends[column] += panel.height + GAP
        width, height = 16 + across + (columns - 1) * (across + GAP), max(ends)
        return tag(
            "svg",
            tooltip(self.caption),
            tag("style", STYLE),
            tag("rect", kind="paper", width="100%", height="100%"),
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width:g} {height:.0f}",
            width=f"{width:g}",
            height=f"{height:.0f}",
        )

    def __repr__(self) -> str:
        return f"{self.name}: {self.caption}"

    def _repr_svg_(self) -> str:
        """What a notebook shows of it."""
        return self.file


def headed(title: str, height: float, body: str, room: Room = NARROW) -> Panel:
    """A panel with its title, in one line or several, above a drawing of this height."""
    lines = broken(title, room.width, SIZE)
    head = "".join(words(0, 12 + LEAD * place, said, "head") for place, said in enumerate(lines))
    top = LEAD * len(lines) + 6
    return Panel(title, top + height, head + tag("g", body, transform=f"translate(0 {top:g})"), room)


def legend(keys: Sequence[tuple[str, str]], room: Room = NARROW) -> Panel:
    """A legend of marks, each 14 wide and drawn around the height 0, with what they stand for."""
    x, y, drawn = 0.0, 10.0, []
    for mark, said in keys:
        wide = 20 + len(said) * LETTER * SIZE + 14
        if x and x + wide > room.width:
            x, y = 0.0, y + LEAD + 3
        drawn.append(tag("g", mark, words(20, 4, said), transform=f"translate({x:g} {y:g})"))
        x += wide
    return Panel("Legend", y + 10, "".join(drawn), room)


def _at(x: float, y: float, panel: Panel) -> str:
    return tag("g", panel.body, transform=f"translate({x:g} {y:g})")
