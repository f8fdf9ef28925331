"""A table of a page: groups of rows under headings, its first columns names, the others numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

LONG = 40
"""Rows of a table that a page folds away."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says, the interval below it, and below that what the estimate rests on.

    `behind` are the parameters with which the viewer lists the debates of the estimate; "" for none.
    """

    said: str
    interval: str = ""
    rests: str = ""
    behind: str = field(default="", compare=False)


Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows below a heading; "" for none."""

    label: str
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Table:
    """A table and the data behind it. `named` is how many columns are names; `name` is that of its files."""

    name: str
    caption: str
    heads: Sequence[str]
    named: int
    groups: Sequence[Group]
    data: pd.DataFrame

    @property
    def size(self) -> int:
        """Its rows."""
        return sum(len(group.rows) for group in self.groups)

    @property
    def long(self) -> bool:
        """Whether it is to be folded away."""
        return self.size > LONG


def plain(name: str, caption: str, frame: pd.DataFrame, named: int = 1) -> Table:
    """A table of a frame as it is: its columns are the heads, its values are said as they are written."""
    rows = [[Cell(str(value)) for value in row] for row in frame.itertuples(index=False)]
    return Table(name, caption, list(frame.columns), named, [Group("", rows)], frame)
