"""What stands in the cells of a rendered table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from analysis.tally import CONDITION

BLOCKS = (("█", "cyan"), ("▓", "magenta"), ("▒", "yellow"), ("░", "green"), ("·", "blue"))
"""How each verdict is drawn in a bar, by its place among the columns; told apart without colours too."""

BAR = 12
"""Characters of a bar."""


def heading(title: str, caption: str) -> Text:
    """What stands above a table: the question it answers, and what its figures are."""
    return Text.assemble("\n", (title, "bold"), "\n", (caption, "dim"))


def table(names: Sequence[str], figures: Sequence[str | Text]) -> Table:
    """An empty table: columns of names, which wrap where space is short, then columns of figures."""
    empty = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True, header_style="")
    for name in names:
        empty.add_column(name, min_width=11)
    for figure in figures:
        empty.add_column(figure, justify="right", no_wrap=True)
    return empty


def number(value: Any) -> str:
    """A whole number with commas; – where it is unknown."""
    return "–" if pd.isna(value) else f"{int(value):,}"


def numbers(row: Mapping[Hashable, Any], *names: str) -> list[str]:
    """Several numbers of a row."""
    return [number(row[name]) for name in names]


def money(value: Any) -> str:
    """A price in dollars."""
    return "cost unknown" if pd.isna(value) else f"${value:,.4f}"


def share(row: Mapping[Hashable, Any], prefix: str = "") -> Text:
    """A share in percent with its interval below; – where the denominator is 0."""
    value, low, high = (100 * row.get(f"{prefix}{name}", math.nan) for name in ("share", "low", "high"))
    if pd.isna(value):
        return Text("–")
    return Text.assemble(f"{value:.1f}%", (f"\n{low:.0f}–{high:.0f}", "dim"))


def bar(counts: Sequence[int]) -> Text:
    """Counts as one bar, each in its own block; as long for few as for many, empty for none."""
    ends = [sum(counts[: place + 1]) for place in range(len(counts))]
    drawn, start = Text(), 0
    for place, end in enumerate(ends):
        stop = round(BAR * end / ends[-1]) if ends[-1] else 0
        drawn.append(block(place)[0] * (stop - start), style=block(place)[1])
        start = stop
    return drawn


def block(place: int) -> tuple[str, str]:
    """The character and colour of the verdict at this place, from 0."""
    return BLOCKS[place % len(BLOCKS)]


def differing(frame: pd.DataFrame) -> list[str]:
    """The columns of the condition that are not the same in all rows; the protocol if all are."""
    return [name for name in CONDITION if frame[name].nunique() > 1] or ["protocol"]


def same(frame: pd.DataFrame) -> str:
    """What is the same in all rows, as "panel a+b, steering default"."""
    fixed = {name: frame[name].iloc[0] for name in CONDITION if frame[name].nunique() == 1}
    named = {name: str(value) for name, value in fixed.items() if value not in ("", "{}")}
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in named.items())


def label(design: Mapping[str, str]) -> str:
    """The name of a condition, from those of its columns that tell it from others."""
    words = []
    for name, value in design.items():
        if name == "panel":
            words.append(value.replace("+", " + "))
        elif value not in ("", "{}"):
            words.append(value if name == "protocol" else f"{name.replace('_', ' ')} {value}")
    return " · ".join(words)
