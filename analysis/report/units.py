"""Numbers as a reader meets them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

NONE = "–"
"""What stands where there is no number."""

BEYOND = 12.0
"""Logarithms farther from 0 are those of no number that debates could tell."""


@dataclass(frozen=True, slots=True)
class Unit:
    """How the numbers of a measure are written: `scale` times the number, with so many decimals.

    `name` heads their column, `sign` says that they are differences and always have a sign. Numbers with
    `log` are logarithms, written as what they are the logarithms of.
    """

    name: str
    scale: float = 1.0
    decimals: int = 3
    sign: bool = False
    log: bool = False

    def number(self, value: float | None) -> str:
        """One number, with a true minus."""
        if pd.isna(value):
            return NONE
        if self.log:
            return _digits(value)
        said = f"{self.scale * value:{'+' if self.sign else ''}.{self.decimals}f}"
        return said.replace("-", "−")

    def interval(self, low: float | None, high: float | None) -> str:
        """An interval; "" where there is none."""
        if pd.isna(low) or pd.isna(high):
            return ""
        between = " to " if self.sign or (low < 0 and not self.log) else "–"
        return f"{self.number(low)}{between}{self.number(high)}"


PERCENT = Unit("%", 100.0, 1)
POINTS = Unit("points", 100.0, 1, sign=True)
INDEX = Unit("index")
CHANGE = Unit("difference", sign=True)
ODDS = Unit("odds ratio", log=True)


def _digits(logarithm: float) -> str:
    """What a number is the logarithm of, with three digits; ∞ and 0 for what is beyond any count."""
    if abs(logarithm) > BEYOND:
        return "∞" if logarithm > 0 else "0"
    value = math.exp(logarithm)
    return f"{value:.{max(2 - math.floor(math.log10(value)), 0)}f}" if value >= 0.01 else f"{value:.1g}"


def count(value: float | None) -> str:
    """A whole number with commas."""
    return NONE if pd.isna(value) else f"{int(value):,}"


def listed(things: Sequence[str]) -> str:
    """Things in a sentence: "a, b and c"."""
    return " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]]))


def several(number: int, thing: str, things: str = "") -> str:
    """A number of things in words: "1 case", "1,000 cases"."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
