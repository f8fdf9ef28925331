"""A figure: small panels of one width, which stand beside each other or below, as the page allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import pandas as pd

from analysis.report.svg import LETTER, broken, tag, tooltip, words

WIDTH = 340.0
"""Units of a panel from left to right: what a phone shows without making letters small."""

SIZE = 12.0
"""Units of a letter."""

LEAD = 15.0
"""Units from one line of text to the next."""

GAP = 28.0
"""Units between the panels of a file."""

STYLE = files("analysis.report").joinpath("templates/figure.css").read_text("utf-8")
"""Colours and fonts of figures, in the page and in files, in light and in dark."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing `WIDTH` wide; a legend is one too. `body` is markup."""

    title: str
    height: float
    body: str

    @property
    def svg(self) -> str:
        """The panel as an element of a page."""
        return tag(
            "svg",
            tooltip(self.title),
            self.body,
            kind="panel",
            role="img",
            viewBox=f"0 0 {WIDTH:g} {self.height:.0f}",
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
        top = 8 + (self.legend.height + GAP / 2 if self.legend else 0)
        parts, ends = [_at(8, 8, self.legend)] if self.legend else [], [top] * columns
        for panel in self.panels:
            column = ends.index(min(ends))
            parts.append(_at(8 + column * (WIDTH + GAP), ends[column], panel))
            ends[column] += panel.height + GAP
        width, height = 16 + WIDTH + (columns - 1) * (WIDTH + GAP), max(ends)
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


def headed(title: str, height: float, body: str) -> Panel:
    """A panel with its title, in one line or several, above a drawing of this height."""
    lines = broken(title, WIDTH, SIZE)
    head = "".join(words(0, 12 + LEAD * place, said, "head") for place, said in enumerate(lines))
    top = LEAD * len(lines) + 6
    return Panel(title, top + height, head + tag("g", body, transform=f"translate(0 {top:g})"))


def legend(keys: Sequence[tuple[str, str]]) -> Panel:
    """A legend of marks, each 14 wide and drawn around the height 0, with what they stand for."""
    x, y, drawn = 0.0, 10.0, []
    for mark, said in keys:
        room = 20 + len(said) * LETTER * SIZE + 14
        if x and x + room > WIDTH:
            x, y = 0.0, y + LEAD + 3
        drawn.append(tag("g", mark, words(20, 4, said), transform=f"translate({x:g} {y:g})"))
        x += room
    return Panel("Legend", y + 10, "".join(drawn))


def _at(x: float, y: float, panel: Panel) -> str:
    return tag("g", panel.body, transform=f"translate({x:g} {y:g})")
