"""Differences between two values of a column of the design, paired by case.

Only cases counted under both values are compared, each with itself: what is hard about a case stands on
both sides and drops out of the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.bootstrap import Floats, intervals, ratio
from analysis.estimates import ONE_CASE, Terms, cases_of, in_blocks

COLUMNS = (
    *("numerator", "denominator", "against_numerator", "against_denominator"),
    *("estimate", "low", "high", "relative", "relative_low", "relative_high", "wilson_low", "wilson_high"),
    *("cases", "gained", "lost", "p", "p_adjusted", "test", "unreadable", "failed", "reason"),
)
"""The last columns of every frame of differences.

`numerator` / `denominator` is the share under `value` in the cases that are paired, and with `against_` that
under `against`. `estimate` is the first less the second, `relative` that difference by the second; both with
their 95% intervals by bootstrap over the paired cases. `wilson_low` and `wilson_high` are null: a difference
is no proportion. `cases` are the paired ones. `gained` are the cases with the outcome under `value` alone,
`lost` those with it under `against` alone; both are null, and so is `p`, unless every paired case has one
debate on each side. `p` is of McNemar's exact test, `p_adjusted` after Benjamini and Hochberg over the rows
of the frame. `unreadable` and `failed` left either side, in all cases.
"""

MCNEMAR = "McNemar, exact"
UNPAIRED = "no case with both"

_OVER, _UNDER = "value", "against"


def pairs(rows: pd.DataFrame, keys: Sequence[str], vary: str, baseline: str | None = None) -> pd.DataFrame:
    """The distinct rows of `keys`, for each two values of the column `vary` that they occur with.

    Columns: `keys`; value; against. Each value stands against `baseline` where that occurs, else each
    against all that sort before it.
    """
    found = [
        (*(key if isinstance(key, tuple) else (key,)), value, against)
        for key, own in rows.groupby(list(keys), observed=True)[vary]
        for value, against in _paired(sorted(own.unique()), baseline)
    ]
    return pd.DataFrame(found, columns=[*keys, _OVER, _UNDER], dtype="str")


def differences(
    grid: pd.DataFrame,
    vary: str,
    numerator: Terms,
    denominator: Terms,
    unreadable: Terms | None = None,
    failed: Terms | None = None,
) -> pd.DataFrame:
    """`grid`, a row for each pair as `pairs` gives them, with `COLUMNS` added.

    All terms have `vary` among their keys; the others are columns of `grid`.
    """
    found = grid.join(pd.concat([_block(rows, vary, numerator, denominator) for rows in in_blocks(grid)]))
    lost = {"unreadable": unreadable, "failed": failed}
    found = found.assign(**{name: _both(terms, grid, vary) for name, terms in lost.items()})
    found = _with_test(found.assign(wilson_low=np.nan, wilson_high=np.nan))
    found["reason"] = np.select([found["cases"] == 0, found["cases"] == 1], [UNPAIRED, ONE_CASE], "")
    return found.astype({"reason": "str"})[[*grid.columns, *COLUMNS]]


def adjusted(p: pd.Series[float]) -> Floats:
    """The p-values after Benjamini and Hochberg; null ones are no tests and stay null."""
    from statsmodels.stats.multitest import multipletests

    values = p.to_numpy(np.float64)
    tested = ~np.isnan(values)
    corrected = np.full(len(values), np.nan)
    if tested.any():
        corrected[tested] = multipletests(values[tested], method="fdr_bh")[1]
    return corrected


def difference(above: Floats, below: Floats, above_against: Floats, below_against: Floats) -> Floats:
    """One ratio less the other."""
    return ratio(above, below) - ratio(above_against, below_against)


def relative(above: Floats, below: Floats, above_against: Floats, below_against: Floats) -> Floats:
    """The difference of two ratios by the second of them; null where that is 0."""
    return ratio(ratio(above, below), ratio(above_against, below_against)) - 1


def _paired(values: Sequence[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline in values:
        return [(value, str(baseline)) for value in values if value != baseline]
    return [(value, against) for against, value in combinations(values, 2)]


def _side(terms: Terms, vary: str, side: str) -> Terms:
    """The same terms with `vary` called as the column of the pairs is."""
    return Terms(
        terms.rows.rename(columns={vary: side}), [side if key == vary else key for key in terms.keys]
    )


def _both(terms: Terms | None, grid: pd.DataFrame, vary: str) -> NDArray[np.int64] | int:
    return 0 if terms is None else sum(_side(terms, vary, side).total(grid) for side in (_OVER, _UNDER))


def _block(grid: pd.DataFrame, vary: str, numerator: Terms, denominator: Terms) -> pd.DataFrame:
    cases = cases_of(numerator, denominator)
    matrices = [
        _side(terms, vary, side).matrix(grid, cases)
        for side in (_OVER, _UNDER)
        for terms in (numerator, denominator)
    ]
    paired = (matrices[1] != 0) & (matrices[3] != 0)
    above, below, above_against, below_against = matrices = [np.where(paired, one, 0) for one in matrices]
    sums = [one.sum(axis=0).astype(np.float64) for one in matrices]
    counted = paired.sum(axis=0)
    columns = dict(zip(COLUMNS[:4], (one.sum(axis=0) for one in matrices), strict=True))
    for name, prefix, statistic in (("estimate", "", difference), ("relative", "relative_", relative)):
        with np.errstate(divide="ignore", invalid="ignore"):
            low, high = (np.where(counted > 1, end, np.nan) for end in intervals(statistic, *matrices))
            columns |= {name: statistic(*sums), f"{prefix}low": low, f"{prefix}high": high}
    single = (np.where(paired, below * below_against, 1) == 1).all(axis=0) & (counted > 0)
    for name, one, other in (("gained", above, above_against), ("lost", above_against, above)):
        columns[name] = np.where(single, (one > other).sum(axis=0), np.nan)
    return pd.DataFrame({**columns, "cases": counted}, index=grid.index)


def _with_test(frame: pd.DataFrame) -> pd.DataFrame:
    """McNemar's test where every case has one outcome on each side, adjusted over the frame."""
    from statsmodels.stats.contingency_tables import mcnemar

    p = [
        np.nan if pd.isna(gained) else mcnemar([[0, gained], [lost, 0]], exact=True).pvalue
        for gained, lost in zip(frame["gained"], frame["lost"], strict=True)
    ]
    tested = frame.assign(p=np.array(p, np.float64), test=np.where(frame["gained"].isna(), "", MCNEMAR))
    return tested.assign(p_adjusted=adjusted(tested["p"])).astype(
        {"gained": "Int64", "lost": "Int64", "test": "str"}
    )
