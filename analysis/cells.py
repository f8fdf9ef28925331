"""What stands in the cells of a rendered table."""

from __future__ import annotations

import json
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

PLAIN = ("protocol", "panel")
"""The columns of the condition whose values speak for themselves."""

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
    digits = 0 if high - low >= 1 else 1
    return Text.assemble(f"{value:.1f}%", (f"\n{low:.{digits}f}–{high:.{digits}f}", "dim"))


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
    """What is the same in all rows, as "panel a + b, steering default"."""
    fixed = {name: str(frame[name].iloc[0]) for name in CONDITION if frame[name].nunique() == 1}
    words = {name: _words(name, value) for name, value in fixed.items()}
    return ", ".join(f"{name} {said}" if name in PLAIN else said for name, said in words.items() if said)


def label(design: Mapping[str, str]) -> str:
    """The name of a condition, from those of its columns that tell it from others."""
    return " · ".join(said for name, value in design.items() if (said := _words(name, value)))


def _words(name: str, value: str) -> str:
    """A column of the condition in words; none where it has no value."""
    if not value:
        return ""
    if name == "variant":
        return ", ".join(f"{key} {setting}" for key, setting in json.loads(value).items())
    return value.replace("+", " + ") if name in PLAIN else f"{name.replace('_', ' ')} {value}"
