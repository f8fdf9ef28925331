"""What stands in the cells of a rendered table."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd
from rich.text import Text

from analysis.money import dollars

BLOCKS = (("█", "cyan"), ("▓", "magenta"), ("▒", "yellow"), ("░", "green"), ("·", "blue"))
"""How each verdict is drawn in a bar, by its place among the columns; told apart without colours too."""

BAR = 20
"""Characters of a bar, each about 5%."""


def number(value: Any) -> Text:
    """A whole number with commas; – where it is unknown."""
    return Text("–" if pd.isna(value) else f"{int(value):,}")


def numbers(row: Mapping[Hashable, Any], *names: str) -> list[Text]:
    """Several numbers of a row."""
    return [number(row[name]) for name in names]


def money(value: Any) -> Text:
    """A price in dollars; – where it is unknown."""
    return Text("–" if pd.isna(value) else dollars(value))


def share(row: Mapping[Hashable, Any], ends: Sequence[str] = ("low", "high")) -> Text:
    """An estimate in percent with its interval below, from the columns `ends`.

    – where there is no estimate; the estimate alone where there is no interval. Where all cases agree, draws
    of them have no width, and Wilson's interval stands there with a †.
    """
    wilson = agreeing(row) and pd.notna(row.get("wilson_low"))
    own = ("wilson_low", "wilson_high") if wilson else ends
    value, low, high = (100 * row.get(name, math.nan) for name in ("estimate", *own))
    if pd.isna(value):
        return Text("–")
    if pd.isna(low):
        return Text(f"{value:.1f}%")
    digits = 0 if high - low >= 1 else 1
    return Text.assemble(
        f"{value:.1f}%",
        (f"\n{low:.{digits}f}–{high:.{digits}f}{'†' * (wilson and own != tuple(ends))}", "dim"),
    )


def agreeing(row: Mapping[Hashable, Any]) -> bool:
    """Whether the interval by bootstrap has no width."""
    return bool(pd.notna(row.get("low")) and row["low"] == row.get("high"))


def part(count: Any, share: Any) -> Text:
    """A count with its share in percent below; – where it is unknown."""
    return Text("–") if pd.isna(count) else Text.assemble(number(count), (f"\n{100 * share:.1f}%", "dim"))


def bar(counts: Sequence[int]) -> Text:
    """Counts as one bar of `BAR` characters, each in its own block; empty where all are 0.

    Equal shares make equal bars, for few as for many. Characters are dealt by largest remainder, and
    every count but 0 has at least one, even if that takes a longer bar.
    """
    drawn = Text()
    for place, length in enumerate(_dealt(counts) if any(counts) else []):
        drawn.append(block(place)[0] * length, style=block(place)[1])
    return drawn


def block(place: int) -> tuple[str, str]:
    """The character and colour of the verdict at this place, from 0."""
    return BLOCKS[place % len(BLOCKS)]


def _dealt(counts: Sequence[int]) -> list[int]:
    """The characters of each count; of equal remainders the first is served first."""
    total, some = sum(counts), [place for place, count in enumerate(counts) if count]
    lengths = [max(BAR * count // total, count > 0) for count in counts]
    goal = max(BAR, len(some))

    def missing(place: int) -> int:
        return BAR * counts[place] - lengths[place] * total

    while sum(lengths) < goal:
        lengths[max(some, key=missing)] += 1
    while sum(lengths) > goal:
        lengths[min((place for place in some if lengths[place] > 1), key=missing)] -= 1
    return lengths
