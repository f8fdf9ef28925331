"""Frames of estimates by hand, with the columns that all of them have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import pandas as pd

from analysis.estimates import COLUMNS
from analysis.report.conditions import Conditions
from analysis.tally import CONDITION

DEBATE = {
    "stage": "debate",
    "protocol": "synchronous",
    "variant": "{}",
    "panel": "alpha+beta",
    "order": "1-2",
    "steering": "default+default",
    "answer_format": "json",
}


def design(**columns: str) -> dict[str, str]:
    """The condition of a synchronous debate of alpha and beta, but for these columns."""
    return {**DEBATE, **columns}


def conditions(*designs: Mapping[str, str]) -> Conditions:
    """Names for these conditions."""
    return Conditions(pd.DataFrame(designs, columns=list(CONDITION)))


def row(estimate: float | None, **columns: object) -> dict[str, object]:
    """A row of a frame: its keys, then an estimate of 40 debates, 0.1 either side of it its interval."""
    given = {
        "numerator": None if estimate is None else 40 * estimate,
        "denominator": 0 if estimate is None else 40,
        "estimate": estimate,
        "low": None if estimate is None else estimate - 0.1,
        "high": None if estimate is None else estimate + 0.1,
        "wilson_low": None,
        "wilson_high": None,
        "cases": 20,
        "unreadable": 0,
        "failed": 0,
        "reason": "nothing to count" if estimate is None else "",
    }
    keys = {name: value for name, value in columns.items() if name not in COLUMNS}
    return {**keys, **given, **{name: value for name, value in columns.items() if name in COLUMNS}}


def frame(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """These rows as a frame."""
    kinds = {"estimate": "float64", "low": "float64", "high": "float64", "round": "Int64"}
    found = pd.DataFrame(rows)
    return found.astype({name: kind for name, kind in kinds.items() if name in found})


def shares(designs: Sequence[Mapping[str, str]], by: Mapping[str, Sequence[object]]) -> pd.DataFrame:
    """For each condition and each combination of keys a row, with equal shares that add up to 1."""
    keys = list(product(*by.values()))
    return frame(
        [row(1 / len(keys), **one, **dict(zip(by, key, strict=True))) for one in designs for key in keys]
    )
