"""Estimates of repetitions together: their mean, how far they vary, and whether by more than chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from analysis.model.fit import LEVEL, Fit
from analysis.model.rows import Floats


def across(fits: Sequence[Fit]) -> pd.DataFrame:
    """The slopes over repetitions of the same cases, in log-odds; one row by parameter.

    Columns: repetitions in which the slope is identified; mean; sd between them; low, high, the interval of
    the mean by t with R - 1 degrees; next_low, next_high, that of one more repetition (times sqrt(1 + 1/R)
    for sqrt(1/R)); total_se, total_low, total_high, of the mean with the cases drawn anew as well; q, q_p,
    i2, tau2, see `heterogeneity`. What takes two repetitions is null with fewer.

    As all repetitions are of the same cases, low to high holds the noise of sampling replies alone.
    """
    tables = [found.table() for found in fits]
    coef, se = (pd.DataFrame({n: table[name] for n, table in enumerate(tables)}) for name in ("coef", "se"))
    total = _of_mean(fits, list(coef.index))
    told = [
        mean_of(b[known], s[known], t)
        for b, s, t in zip(coef.to_numpy(), se.to_numpy(), total, strict=True)
        for known in [np.isfinite(b) & np.isfinite(s) & (s > 0)]
    ]
    return pd.DataFrame(told, index=coef.index)


def mean_of(coef: Floats, se: Floats, total: float) -> dict[str, float]:
    """One row of `across`, from R estimates, their standard errors, and the total error of their mean."""
    count = len(coef)
    mean = float(coef.mean()) if count else np.nan
    sd = float(coef.std(ddof=1)) if count > 1 else np.nan
    reach = float(stats.t.ppf((1 + LEVEL) / 2, count - 1)) * sd if count > 1 else np.nan
    whole = float(stats.norm.ppf((1 + LEVEL) / 2)) * total
    return {
        "repetitions": count,
        "mean": mean,
        "sd": sd,
        "low": mean - reach / np.sqrt(max(count, 1)),
        "high": mean + reach / np.sqrt(max(count, 1)),
        "next_low": mean - reach * np.sqrt(1 + 1 / max(count, 1)),
        "next_high": mean + reach * np.sqrt(1 + 1 / max(count, 1)),
        "total_se": total,
        "total_low": mean - whole,
        "total_high": mean + whole,
        **heterogeneity(coef, se),
    }


def heterogeneity(coef: Floats, se: Floats) -> dict[str, float]:
    """Do estimates vary more than their errors let them? Cochran's q and its q_p; i2; tau2.

    With weights 1 / se^2, q is the weighted sum of squared distances from the weighted mean, i2 the share of
    it beyond its R - 1 degrees of freedom, tau2 the variance of the true values (DerSimonian and Laird 1986);
    both are 0 where q is smaller than its degrees. Null for fewer than two.
    """
    if len(coef) < 2:
        return dict.fromkeys(("q", "q_p", "i2", "tau2"), np.nan)
    weight, df = se**-2, len(coef) - 1
    q = float(weight @ (coef - weight @ coef / weight.sum()) ** 2)
    excess = max(q - df, 0.0)
    return {
        "q": q,
        "q_p": float(stats.chi2.sf(q, df)),
        "i2": excess / q if q > 0 else 0.0,
        "tau2": excess / float(weight.sum() - (weight**2).sum() / weight.sum()),
    }


def _of_mean(fits: Sequence[Fit], names: Sequence[str]) -> Floats:
    """The standard error of the mean over repetitions with cases drawn anew, for each slope.

    A case moves the mean by the mean of what it moves the estimates by, over all repetitions at once.
    """
    known = np.array([found.table()["coef"].notna().to_numpy() for found in fits])
    moved: dict[str, Floats] = {}
    for found, identified in zip(fits, known, strict=True):
        at = [found.names.index(name) for name in names]
        for case, row in zip(found.rows.cases, found.estimate.influence[:, at], strict=True):
            moved[case] = moved.get(case, np.zeros(len(at))) + np.where(identified, row, 0.0)
    whole = np.array(list(moved.values()))
    squares = (whole**2).sum(axis=0) * len(whole) / max(len(whole) - 1, 1)
    total: Floats = np.sqrt(squares) / np.maximum(known.sum(axis=0), 1)
    return total
