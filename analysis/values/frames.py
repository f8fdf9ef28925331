"""Means and differences of means told in the columns of `estimates` and `contrast`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.bootstrap import ends, ratio
from analysis.contrast import UNPAIRED, adjusted
from analysis.estimates import ONE_CASE
from analysis.t_test import ALIKE, T_TEST, p_values
from analysis.values.means import Floats, Means
from analysis.values.sets import Bools, Ints

Columns: TypeAlias = dict[str, npt.NDArray[Any]]
"""Rows as columns of one length: a frame in the making, as thousands of small ones cost too much."""

Lost = tuple[Ints, Ints]
"""What left the denominators of some means: because it could not be read, and because it failed."""


def told(keys: Columns, found: Means, lost: Lost, empty: str) -> Columns:
    """`keys`, a row for each mean, with the columns of `estimates`; Wilson intervals are null.

    `empty` is the reason where there is nothing to count.
    """
    low, high = interval(found.drawn, found.cases)
    none = np.full(len(low), np.nan)
    return {
        **keys,
        **{"numerator": found.above, "denominator": found.below, "estimate": found.estimate},
        **{"low": low, "high": high, "wilson_low": none, "wilson_high": none, "cases": found.cases},
        **dict(zip(("unreadable", "failed"), lost, strict=True)),
        "reason": reasons(found.below, found.cases, empty),
    }


def differences(
    keys: Columns, one: Means, other: Means, lost: Lost, empty: str, paired: bool = False
) -> Columns:
    """`keys`, a row for each difference of one mean less the other, with the columns of `contrast`.

    `p_adjusted` is null until all tests that belong together are there, see `adjusted_within`. `cases` are
    those of the mean that has fewer; `paired` means are of the same cases.
    """
    estimate, cases = one.estimate - other.estimate, np.minimum(one.cases, other.cases)
    low, high = interval(one.drawn - other.drawn, cases)
    near, far = interval(ratio(one.drawn, other.drawn) - 1, cases)
    why = reasons(one.below * other.below, cases, UNPAIRED if paired else empty)
    p, none = p_values(one.shifts - other.shifts, estimate, cases), np.full(len(low), np.nan)
    return {
        **keys,
        **{"numerator": one.above, "denominator": one.below},
        **{"against_numerator": other.above, "against_denominator": other.below},
        **{"estimate": estimate, "low": low, "high": high},
        **{"relative": ratio(one.estimate, other.estimate) - 1, "relative_low": near, "relative_high": far},
        **{"wilson_low": none, "wilson_high": none, "cases": cases, "gained": none, "lost": none},
        **{"p": p, "p_adjusted": none, "test": np.where(np.isnan(p), "", T_TEST).astype(object)},
        **dict(zip(("unreadable", "failed"), lost, strict=True)),
        "reason": np.where(np.isnan(p) & (why == ""), ALIKE, why).astype(object),
    }


def interval(drawn: npt.NDArray[np.floating], cases: Ints) -> tuple[Floats, Floats]:
    """The interval of each mean; null where there is one case only."""
    low, high = ends(drawn.copy())
    return np.where(cases > 1, low, np.nan), np.where(cases > 1, high, np.nan)


def reasons(below: Ints, cases: Ints, empty: str) -> npt.NDArray[np.object_]:
    """Why an estimate or its interval is null; "" where neither is."""
    return np.select([below == 0, cases == 1], [empty, ONE_CASE], "").astype(object)


def stacked(parts: Sequence[Columns], names: Sequence[str]) -> pd.DataFrame:
    """A frame of these columns, with the rows of all parts."""
    if not parts:
        return pd.DataFrame(columns=list(names))
    return pd.DataFrame({name: np.concatenate([part[name] for part in parts]) for name in names})


def headed(head: Mapping[str, object], rows: Columns) -> Columns:
    """The rows with further columns that have one value."""
    n = len(next(iter(rows.values())))
    return {**{name: np.full(n, value, object) for name, value in head.items()}, **rows}


def adjusted_within(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """`frame` with `p_adjusted` over the rows that are alike in `keys`, after Benjamini and Hochberg.

    Where rows stand for values the family is the whole list: a value that nobody used, or that could not be
    tested, counts with p = 1, see `contrast.adjusted`.
    """
    corrected = np.full(len(frame), np.nan)
    for rows in frame.groupby(list(keys), sort=False, dropna=False).indices.values():
        corrected[rows] = adjusted(frame["p"].iloc[rows])
    return frame.assign(p_adjusted=corrected)


def with_wilson(frame: pd.DataFrame, chosen: Bools) -> pd.DataFrame:
    """`frame` with the Wilson intervals of the chosen rows, as of proportions of independent trials."""
    from statsmodels.stats.proportion import proportion_confint  # takes seconds; the workers need none of it

    some = frame[chosen]
    low, high = proportion_confint(some["numerator"], some["denominator"], alpha=0.05, method="wilson")
    frame.loc[chosen, "wilson_low"], frame.loc[chosen, "wilson_high"] = low.round(12), high.round(12)
    return frame
