"""Ratios of counts with their intervals: the columns in which every estimate is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.bootstrap import intervals, ratio

COLUMNS = (
    *("numerator", "denominator", "estimate", "low", "high", "wilson_low", "wilson_high"),
    *("cases", "unreadable", "failed", "reason"),
)
"""The last columns of every frame of estimates.

`estimate` is numerator / denominator, null with a `reason` where the denominator is 0. `low` and `high` are
its 95% interval by bootstrap over cases, null with a reason where there is one case only. `wilson_low` and
`wilson_high` are that of a proportion of independent trials, null where it is none. `cases` are those in
the denominator; `unreadable` and `failed` is what left it.
"""

ONE_CASE = "one case only: no interval"

ROWS_AT_ONCE = 256
"""Rows of a frame that are worked on at once, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Counts of which a row of a frame has the sum of those alike in `keys`.

    `rows` has the columns `keys`, case_id and count. Any number of rows may be of one case; without any, the
    sum is 0.
    """

    rows: pd.DataFrame
    keys: Sequence[str]

    def total(self, grid: pd.DataFrame) -> NDArray[np.int64]:
        """The sum for each row of `grid`."""
        place, width = self._places(grid)
        sums = np.zeros(width + 1, np.int64)
        np.add.at(sums, self._columns(grid), self.rows["count"].to_numpy(np.int64))
        return sums[place]

    def matrix(self, grid: pd.DataFrame, cases: pd.Index[str]) -> NDArray[np.int64]:
        """The sums for each case and row of `grid`."""
        place, width = self._places(grid)
        sums = np.zeros((len(cases), width + 1), np.int64)
        at = cases.get_indexer(pd.Index(self.rows["case_id"]))
        np.add.at(sums, (at, self._columns(grid)), self.rows["count"].to_numpy(np.int64))
        return sums[:, place]

    def _places(self, grid: pd.DataFrame) -> tuple[NDArray[np.int64], int]:
        """For each row of `grid` the number of its keys among the distinct ones, and how many those are."""
        distinct = self._distinct(grid)
        return _lookup(grid, distinct, self.keys), len(distinct)

    def _columns(self, grid: pd.DataFrame) -> NDArray[np.int64]:
        """The same for each of the counts; what no row of `grid` asks for has a number past the last."""
        return _lookup(self.rows, self._distinct(grid), self.keys)

    def _distinct(self, grid: pd.DataFrame) -> pd.DataFrame:
        return grid[list(self.keys)].drop_duplicates(ignore_index=True)


def estimated(
    grid: pd.DataFrame,
    numerator: Terms,
    denominator: Terms,
    unreadable: Terms | None = None,
    failed: Terms | None = None,
    empty: str = "nothing to count",
    grain: int | None = None,
) -> pd.DataFrame:
    """`grid`, a row for each estimate with its keys, with `COLUMNS` added.

    Every count of the numerator is one of the denominator too, and the estimate is a proportion, unless a
    `grain` is given: then numerators are in units of 1 / grain, and the estimate is a mean. `empty` is the
    reason where the denominator is 0.
    """
    blocks = [_block(rows, numerator, denominator, grain or 1) for rows in in_blocks(grid)]
    found = grid.join(pd.concat(blocks))
    found = _with_wilson(found) if grain is None else found.assign(wilson_low=np.nan, wilson_high=np.nan)
    lost = {"unreadable": unreadable, "failed": failed}
    found = found.assign(**{name: 0 if terms is None else terms.total(grid) for name, terms in lost.items()})
    found["reason"] = np.select([found["denominator"] == 0, found["cases"] == 1], [empty, ONE_CASE], "")
    return found.astype({"reason": "str"})[[*grid.columns, *COLUMNS]]


def cases_of(*terms: Terms) -> pd.Index[str]:
    """The cases of which anything was counted, sorted."""
    named: pd.Index[str] = pd.Index(pd.unique(pd.concat([one.rows["case_id"] for one in terms])), dtype="str")
    return named.sort_values()


def _lookup(rows: pd.DataFrame, distinct: pd.DataFrame, keys: Sequence[str]) -> NDArray[np.int64]:
    """For each row the number of its keys in `distinct`; one past the last for keys not there."""
    numbered = distinct.assign(_number=np.arange(len(distinct)))
    found = rows[list(keys)].merge(numbered, on=list(keys), how="left") if keys else rows.assign(_number=0)
    return found["_number"].fillna(len(distinct)).to_numpy(np.int64)


def in_blocks(grid: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The rows of `grid`, `ROWS_AT_ONCE` at a time; of an empty one once none."""
    for start in range(0, max(len(grid), 1), ROWS_AT_ONCE):
        yield grid[start : start + ROWS_AT_ONCE]


def _block(grid: pd.DataFrame, numerator: Terms, denominator: Terms, grain: int) -> pd.DataFrame:
    cases = cases_of(numerator, denominator)
    above, below = numerator.matrix(grid, cases), denominator.matrix(grid, cases)
    low, high = intervals(ratio, above, below)
    counted = (below != 0).sum(axis=0)
    sums = above.sum(axis=0) / grain if grain > 1 else above.sum(axis=0)
    columns = {
        "numerator": sums,
        "denominator": below.sum(axis=0),
        "estimate": ratio(sums, below.sum(axis=0)),
        "low": np.where(counted > 1, low / grain, np.nan),
        "high": np.where(counted > 1, high / grain, np.nan),
        "cases": counted,
    }
    return pd.DataFrame(columns, index=grid.index)


def _with_wilson(frame: pd.DataFrame) -> pd.DataFrame:
    from statsmodels.stats.proportion import proportion_confint  # takes seconds; the workers need none of it

    some = frame[frame["denominator"] > 0]
    low, high = proportion_confint(some["numerator"], some["denominator"], alpha=0.05, method="wilson")
    bounds = pd.DataFrame({"wilson_low": low, "wilson_high": high}, index=some.index, dtype="float64")
    return frame.join(bounds.round(12))  # so that the bound of no successes is 0, not 3e-17
