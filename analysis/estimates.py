"""Ratios of counts with their intervals: the columns in which every estimate is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from analysis.bootstrap import intervals, ratio

Counts = NDArray[np.int64]

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

    def total(self, grid: pd.DataFrame) -> Counts:
        """The sum for each row of `grid`."""
        distinct = grid[list(self.keys)].drop_duplicates()
        at = lookup(self.rows, distinct, self.keys)
        sums = np.zeros(len(distinct) + 1, np.int64)
        np.add.at(sums, at, self.rows["count"].to_numpy(np.int64))
        return sums[lookup(grid, distinct, self.keys)]

    def sums(self, grid: pd.DataFrame, cases: pd.Index[str]) -> Sums:
        """The sums for each case and row of `grid`."""
        distinct = grid[list(self.keys)].drop_duplicates()
        rows = self.rows if len(grid) else self.rows[:0]
        at, of = lookup(rows, distinct, self.keys), codes(rows["case_id"], cases)
        asked = at < len(distinct)
        counts = rows["count"].to_numpy(np.int64)[asked]
        size = (len(cases), len(distinct))
        by_case = sparse.coo_array((counts, (of[asked], at[asked])), size).tocsc()
        return Sums.of(by_case, lookup(grid, distinct, self.keys))


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums by case, in distinct columns, and which of them each row of a frame has."""

    by_case: sparse.csc_array
    column: Counts

    @classmethod
    def of(cls, by_case: sparse.csc_array, column: Counts) -> Sums:
        """Those in these columns, of which some may be alike."""
        ends = list(zip(by_case.indptr[:-1], by_case.indptr[1:], strict=True))
        held = [(by_case.indices[i:j].tobytes(), by_case.data[i:j].tobytes()) for i, j in ends]
        first = {content: place for place, content in reversed(list(enumerate(held)))}
        return cls(by_case, np.array([first[content] for content in held], np.int64)[column])

    def dense(self, columns: Counts) -> Counts:
        """Some of the columns, cases by columns."""
        distinct, place = np.unique(columns, return_inverse=True)
        found: Counts = self.by_case[:, distinct].toarray()[:, place]
        return found


def by_row(sums: Sequence[Sums], work: Callable[..., pd.DataFrame]) -> pd.DataFrame:
    """What `work` makes of each row's sums, cases by rows: some rows at a time, and once of those alike."""
    asked = np.column_stack([one.column for one in sums])
    distinct, place = np.unique(asked, axis=0, return_inverse=True)
    blocks = [
        work(
            *(one.dense(own) for one, own in zip(sums, distinct[start : start + ROWS_AT_ONCE].T, strict=True))
        )
        for start in range(0, max(len(distinct), 1), ROWS_AT_ONCE)
    ]
    return pd.concat(blocks, ignore_index=True).iloc[place.reshape(-1)].reset_index(drop=True)


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
    cases = cases_of(numerator, denominator)
    sums = [numerator.sums(grid, cases), denominator.sums(grid, cases)]
    found = plain(grid).join(by_row(sums, partial(_told, grain or 1)))
    found = _with_wilson(found) if grain is None else found.assign(wilson_low=np.nan, wilson_high=np.nan)
    lost = {"unreadable": unreadable, "failed": failed}
    found = found.assign(**{name: 0 if terms is None else terms.total(grid) for name, terms in lost.items()})
    found["reason"] = np.select([found["denominator"] == 0, found["cases"] == 1], [empty, ONE_CASE], "")
    return found.astype({"reason": "str"})[[*grid.columns, *COLUMNS]]


def cases_of(*terms: Terms) -> pd.Index[str]:
    """The cases of which anything was counted, sorted."""
    named: pd.Index[str] = pd.Index([], dtype="str")
    for one in terms:
        named = named.union(pd.Index(one.rows["case_id"].unique(), dtype="str"))
    return named


def plain(grid: pd.DataFrame) -> pd.DataFrame:
    """The rows numbered from 0, with strings for categories."""
    named = {name: "str" for name, kind in grid.dtypes.items() if isinstance(kind, pd.CategoricalDtype)}
    return grid.reset_index(drop=True).astype(named)


def codes(values: pd.Series[Any], known: pd.Index[Any]) -> Counts:
    """The place of each value in `known`; -1 for one not there."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        places = np.append(known.get_indexer(values.cat.categories), -1)
        return places[values.cat.codes]
    return known.get_indexer(pd.Index(values))


def lookup(rows: pd.DataFrame, distinct: pd.DataFrame, keys: Sequence[str]) -> Counts:
    """For each row the number of its keys among the `distinct` ones; one past the last for keys not there.

    Which kind of column holds a key does not matter: a category is the string that it stands for.
    """
    sought, had = np.zeros(len(rows), np.int64), np.zeros(len(distinct), np.int64)
    known = np.ones(len(rows), bool)
    for key in keys:
        values = pd.Index(distinct[key].unique())
        own = codes(rows[key], values)
        known &= own >= 0
        sought, had = sought * len(values) + own, had * len(values) + codes(distinct[key], values)
        numbers = pd.Index(np.unique(had))
        sought, had = numbers.get_indexer(pd.Index(sought)), numbers.get_indexer(pd.Index(had))
        known &= sought >= 0
    found = pd.Index(had).get_indexer(pd.Index(sought))
    return np.where(known & (found >= 0), found, len(distinct))


def _told(grain: int, above: Counts, below: Counts) -> pd.DataFrame:
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
    return pd.DataFrame(columns)


def _with_wilson(frame: pd.DataFrame) -> pd.DataFrame:
    from statsmodels.stats.proportion import proportion_confint  # takes seconds; the workers need none of it

    some = frame[frame["denominator"] > 0]
    low, high = proportion_confint(some["numerator"], some["denominator"], alpha=0.05, method="wilson")
    bounds = pd.DataFrame({"wilson_low": low, "wilson_high": high}, index=some.index, dtype="float64")
    return frame.join(bounds.round(12))  # so that the bound of no successes is 0, not 3e-17
