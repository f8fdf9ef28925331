"""Whether verdicts are distributed at the end as at the beginning: the test of Stuart and Maxwell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components
from scipy.stats import chi2

from analysis.contrast import adjusted
from analysis.courses import Courses, Numbers
from analysis.estimates import Terms, estimated
from analysis.measures.distribution import before_and_after
from analysis.tally import CONDITION, groups

STUART_MAXWELL = "Stuart-Maxwell"
EMPTY = "no seat with a readable verdict at both times"


def estimate(courses: Courses, after: str = "last round", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """The share of seats whose verdict at `after` is not that of round 1, and whether moves balance.

    Keys: those of `by`; model. Beyond the columns of every estimate: statistic, chi-squared with df degrees
    of freedom where the two distributions are the same; p; p_adjusted, after Benjamini and Hochberg over
    all rows, of which those without a p count as 1; test, "" where no verdict moved. Verdicts that occur
    neither before nor after have no part in it. The test takes pairs for independent: where a case comes
    back in several debates, or a model in several seats, its p is too small, and the intervals of
    `distribution.shift` hold.
    """
    moves = before_and_after(courses, after)
    known = moves[moves["before"].notna() & moves["then"].notna()]
    keys = [*by, "model"]
    found = estimated(
        groups(keys, moves).sort_values(keys),
        Terms(known[known["before"].cat.codes != known["then"].cat.codes], keys),
        Terms(known, keys),
        Terms(moves.drop(known.index), keys),
        Terms(courses.lost(heard=True), by),
        EMPTY,
    )
    tables = _squares(known, keys, len(courses.vocabulary))
    none = np.zeros((1, 1), np.int64)
    tested = [stuart_maxwell(tables.get(key, none)) for key in found[keys].itertuples(index=False, name=None)]
    found[["statistic", "df", "p"]] = np.array(tested, np.float64).reshape(-1, 3)
    found["p_adjusted"] = adjusted(found["p"])
    return found.assign(test=np.where(found["p"].isna(), "", STUART_MAXWELL)).astype({"test": "str"})


def stuart_maxwell(table: Numbers) -> tuple[float, float, float]:
    """Statistic, degrees of freedom and p for a square table of verdicts before by after.

    All null where no verdict moved. Verdicts between which nothing moves, directly or through others, make
    tests of their own that are added up: their margins do not bear on each other.
    """
    from statsmodels.stats.contingency_tables import SquareTable

    moves = table - np.diag(np.diag(table))
    number, component = connected_components(moves, directed=False)
    apart = [component == one for one in range(number) if (component == one).sum() > 1]
    if not apart:
        return np.nan, np.nan, np.nan
    tests = [
        SquareTable(table[np.ix_(one, one)].astype(np.float64), shift_zeros=False).homogeneity()
        for one in apart
    ]
    statistic, df = sum(one.statistic for one in tests), sum(one.df for one in tests)
    return float(statistic), float(df), float(chi2.sf(statistic, df))


def _squares(known: pd.DataFrame, keys: Sequence[str], size: int) -> dict[tuple[str, ...], Numbers]:
    """For each group the table of verdicts before by after."""
    cell = known["before"].cat.codes.astype("int64") * size + known["then"].cat.codes
    return {
        tuple(map(str, key)): np.bincount(own["cell"], own["count"], size * size)
        .astype(np.int64)
        .reshape(size, size)
        for key, own in known.assign(cell=cell).groupby(list(keys), observed=True)[["cell", "count"]]
    }
