"""Means and differences of means told as frames, in the columns of `estimates` and `contrast`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.bootstrap import ends, ratio
from analysis.contrast import COLUMNS as DIFFERENCE
from analysis.contrast import UNPAIRED, adjusted
from analysis.estimates import ONE_CASE
from analysis.values.means import Draws, Floats, Means, p_values
from analysis.values.sets import Bools, Ints

T_TEST = "t of the difference, by case"
"""How differences of means are tested: linearised, with errors clustered by case."""

Lost = tuple[Ints, Ints]
"""What left the denominators of some means: because it could not be read, and because it failed."""


def told(keys: pd.DataFrame, found: Means, lost: Lost, empty: str, proportion: bool = False) -> pd.DataFrame:
    """`keys`, a row for each mean, with the columns of `estimates`.

    `empty` is the reason where there is nothing to count. A `proportion` is one of independent trials
    too, and has their interval.
    """
    low, high = interval(found.drawn, found.cases)
    columns = {
        "numerator": found.above,
        "denominator": found.below,
        "estimate": found.estimate,
        **{"low": low, "high": high, "wilson_low": np.nan, "wilson_high": np.nan},
        "cases": found.cases,
        **dict(zip(("unreadable", "failed"), lost, strict=True)),
        "reason": reasons(found.below, found.cases, empty),
    }
    told = pd.concat([keys.reset_index(drop=True), pd.DataFrame(columns)], axis=1)
    return with_wilson(told, found.below > 0) if proportion else told


def differences(
    keys: pd.DataFrame, one: Means, other: Means, lost: Lost, empty: str, paired: bool = False
) -> pd.DataFrame:
    """`keys`, a row for each difference of one mean less the other, with the columns of `contrast`.

    `p_adjusted` is null until all tests that belong together are there, see `adjusted`. Of `paired` means,
    which are of the same cases, that is how many cases there are; of others, those that any of both has.
    """
    estimate, cases = one.estimate - other.estimate, np.minimum(one.cases, other.cases)
    low, high = interval(one.drawn - other.drawn, cases)
    near, far = interval(ratio(one.drawn, other.drawn) - 1, cases)
    p = p_values(one.shifts - other.shifts, estimate, cases)
    columns = {
        **{"numerator": one.above, "denominator": one.below},
        **{"against_numerator": other.above, "against_denominator": other.below},
        **{"estimate": estimate, "low": low, "high": high},
        **{"relative": ratio(one.estimate, other.estimate) - 1, "relative_low": near, "relative_high": far},
        **{"wilson_low": np.nan, "wilson_high": np.nan, "cases": cases, "gained": None, "lost": None},
        **{"p": p, "p_adjusted": np.nan, "test": np.where(np.isnan(p), "", T_TEST)},
        **dict(zip(("unreadable", "failed"), lost, strict=True)),
        "reason": reasons(one.below * other.below, cases, UNPAIRED if paired else empty),
    }
    frame = pd.concat([keys.reset_index(drop=True), pd.DataFrame(columns)], axis=1)
    return frame[[*keys.columns, *DIFFERENCE]].astype({"gained": "Int64", "lost": "Int64"})


def interval(drawn: Draws, cases: Ints) -> tuple[Floats, Floats]:
    """The interval of each mean; null where there is one case only."""
    low, high = ends(drawn.copy())
    return np.where(cases > 1, low, np.nan), np.where(cases > 1, high, np.nan)


def reasons(below: Ints, cases: Ints, empty: str) -> list[str]:
    """Why an estimate or its interval is null; "" where neither is."""
    found = np.select([below == 0, cases == 1], [empty, ONE_CASE], "")
    return [str(reason) for reason in found]


def adjusted_within(frame: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """`frame` with `p_adjusted` over the rows that are alike in `keys`, after Benjamini and Hochberg."""
    parts = [adjusted(own) for _, own in frame.groupby(list(keys), sort=False, dropna=False)["p"]]
    rows = frame.groupby(list(keys), sort=False, dropna=False).indices.values()
    corrected = np.full(len(frame), np.nan)
    for at, part in zip(rows, parts, strict=True):
        corrected[at] = part
    return frame.assign(p_adjusted=corrected)


def with_wilson(frame: pd.DataFrame, chosen: Bools) -> pd.DataFrame:
    """`frame` with the Wilson intervals of the chosen rows, as of proportions of independent trials."""
    from statsmodels.stats.proportion import proportion_confint  # takes seconds; the workers need none of it

    some = frame[chosen]
    low, high = proportion_confint(some["numerator"], some["denominator"], alpha=0.05, method="wilson")
    frame.loc[chosen, "wilson_low"], frame.loc[chosen, "wilson_high"] = low.round(12), high.round(12)
    return frame
