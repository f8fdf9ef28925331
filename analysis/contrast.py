"""Differences between two values of a column of the design, paired by case.

Only cases counted under both values are compared, each with itself: what is hard about a case stands on
both sides and drops out of the difference.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.bootstrap import Floats, intervals, ratio
from analysis.estimates import ONE_CASE, Counts, Terms, by_row, cases_of, plain
from analysis.t_test import ALIKE, T_TEST, p_values

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
`lost` those with it under `against` alone; both are null unless every paired case has one debate on each
side. There `p` is of McNemar's exact test (1 where no case differs), elsewhere of the t test by case
(`t_test.p_values`), as `test` says; where neither can be, p is null and `reason` says why. `p_adjusted` is
after Benjamini and Hochberg over all rows of the frame, see `adjusted`. `unreadable` and `failed` left either
side, in all cases.
"""

MCNEMAR = "McNemar, exact"
UNPAIRED = "no case with both"

_OVER, _UNDER = "value", "against"


def pairs(
    rows: pd.DataFrame, keys: Sequence[str], vary: str, baselines: Collection[str] = ()
) -> pd.DataFrame:
    """The distinct rows of `keys`, for each two values of the column `vary` that they occur with.

    Columns: `keys`; value; against. Where one of the `baselines` occurs each value stands against that, else
    each against all that sort before it.
    """
    distinct = plain(rows[[*keys, vary]].drop_duplicates())
    found = [
        (*(key if isinstance(key, tuple) else (key,)), value, against)
        for key, own in distinct.groupby(list(keys), dropna=False)[vary]
        for value, against in _paired(sorted(own), baselines)
    ]
    kinds = {**distinct[list(keys)].dtypes, _OVER: "str", _UNDER: "str"}
    return pd.DataFrame(found, columns=list(kinds)).astype(kinds)


def differences(
    grid: pd.DataFrame,
    vary: str,
    numerator: Terms,
    denominator: Terms,
    unreadable: Terms | None = None,
    failed: Terms | None = None,
    grain: int | None = None,
) -> pd.DataFrame:
    """`grid`, a row for each pair as `pairs` gives them, with `COLUMNS` added.

    Numerator and denominator have `vary` among their keys; all other keys are columns of `grid`. With a
    `grain`, numerators are in units of 1 / grain: what is compared are means, of which there is no
    McNemar's test, but that of t.
    """
    cases = cases_of(numerator, denominator)
    sides = [
        _side(terms, vary, side).sums(grid, cases)
        for side in (_OVER, _UNDER)
        for terms in (numerator, denominator)
    ]
    found = plain(grid).join(by_row(sides, partial(_told, grain or 1)))
    lost = {"unreadable": unreadable, "failed": failed}
    found = found.assign(**{name: _lost(terms, grid, vary) for name, terms in lost.items()})
    found = _with_test(found.assign(wilson_low=np.nan, wilson_high=np.nan))
    why = [found["cases"] == 0, found["cases"] == 1, found["p"].isna()]
    found["reason"] = np.select(why, [UNPAIRED, ONE_CASE, ALIKE], "")
    return found.astype({"reason": "str"})[[*grid.columns, *COLUMNS]]


def adjusted(p: pd.Series[float]) -> Floats:
    """The p-values after Benjamini and Hochberg over all rows.

    The family is what was to be tested, not what could be: a null p counts as 1 in it and stays null
    itself. So the family, and what the others are adjusted to, do not depend on which rows have data.
    """
    from statsmodels.stats.multitest import multipletests

    values = p.to_numpy(np.float64)
    tested = ~np.isnan(values)
    corrected = np.full(len(values), np.nan)
    if tested.any():
        corrected[tested] = multipletests(np.where(tested, values, 1.0), method="fdr_bh")[1][tested]
    return corrected


def _paired(values: Sequence[str], baselines: Collection[str]) -> list[tuple[str, str]]:
    for baseline in (value for value in values if value in baselines):
        return [(value, baseline) for value in values if value != baseline]
    return [(value, against) for against, value in combinations(values, 2)]


def _side(terms: Terms, vary: str, side: str) -> Terms:
    """The same terms with `vary` called as the column of the pairs is."""
    return Terms(
        terms.rows.rename(columns={vary: side}), [side if key == vary else key for key in terms.keys]
    )


def _both(
    above: Floats | Counts,
    below: Floats | Counts,
    above_against: Floats | Counts,
    below_against: Floats | Counts,
) -> Floats:
    """The difference of two ratios, and that by the second of them, which is null where that is 0."""
    share, against = ratio(above, below), ratio(above_against, below_against)
    return np.stack([share - against, ratio(share - against, against)])


def _lost(terms: Terms | None, grid: pd.DataFrame, vary: str) -> Counts | int:
    """What left either side; what is of both, having no `vary`, once."""
    if terms is not None and vary not in terms.keys:
        return terms.total(grid)
    return 0 if terms is None else sum(_side(terms, vary, side).total(grid) for side in (_OVER, _UNDER))


def _told(grain: int, *sides: Counts) -> pd.DataFrame:
    paired = (sides[1] != 0) & (sides[3] != 0)
    above, below, above_against, below_against = matrices = [np.where(paired, one, 0) for one in sides]
    sums = [one.sum(axis=0) for one in matrices]
    shown = [one / grain if grain > 1 and place % 2 == 0 else one for place, one in enumerate(sums)]
    columns = dict(zip(COLUMNS[:4], shown, strict=True))
    points, relative = _both(*sums)
    counted = paired.sum(axis=0)
    low, high = (np.where(counted > 1, ends, np.nan) for ends in intervals(_both, *matrices))
    columns |= {"estimate": points / grain, "low": low[0] / grain, "high": high[0] / grain}
    columns |= {"relative": relative, "relative_low": low[1], "relative_high": high[1], "cases": counted}
    single = (np.where(paired, below * below_against, 1) == 1).all(axis=0) & (counted > 0) & (grain == 1)
    columns["gained"] = np.where(single, (above > above_against).sum(axis=0), np.nan)
    columns["lost"] = np.where(single, (above < above_against).sum(axis=0), np.nan)
    shifts = (_shifts(above, below) - _shifts(above_against, below_against)) / grain
    columns["p"] = p_values(shifts, points / grain, counted)
    return pd.DataFrame(columns)


def _shifts(above: Counts, below: Counts) -> Floats:
    """By how much each case moves the ratio of the sums; the product of whole numbers is exact."""
    total = below.sum(axis=0)
    return ratio(above * total - above.sum(axis=0) * below, total**2)


def _with_test(frame: pd.DataFrame) -> pd.DataFrame:
    """McNemar's test where every case has one outcome on each side, else that of t; adjusted."""
    from statsmodels.stats.contingency_tables import mcnemar

    single = frame["gained"].notna()
    exact = [
        mcnemar([[0, gained], [lost, 0]], exact=True).pvalue
        for gained, lost in zip(frame["gained"][single], frame["lost"][single], strict=True)
    ]
    p = frame["p"].to_numpy(np.float64, copy=True)
    p[single] = exact
    tested = frame.assign(p=p, test=np.select([single, ~np.isnan(p)], [MCNEMAR, T_TEST], ""))
    return tested.assign(p_adjusted=adjusted(tested["p"])).astype(
        {"gained": "Int64", "lost": "Int64", "test": "str"}
    )
