"""Shares with their intervals."""

from __future__ import annotations

import pandas as pd


def with_share(frame: pd.DataFrame, count: str, n: str, prefix: str = "") -> pd.DataFrame:
    """`frame` with the share `count` / `n` and its 95% Wilson interval.

    Adds the columns share, low and high (from 0 to 1), named with `prefix` before them. All three are
    null where `n` is 0.
    """
    from statsmodels.stats.proportion import proportion_confint  # takes seconds; the workers need none of it

    some = frame[frame[n] > 0]
    low, high = proportion_confint(some[count], some[n], alpha=0.05, method="wilson")
    bounds = pd.DataFrame({"low": low, "high": high}, index=some.index, dtype="float64")
    bounds = bounds.round(12)  # so that the bound of no successes is 0, not 3e-17
    bounds.insert(0, "share", some[count] / some[n])
    return frame.join(bounds.add_prefix(prefix))
