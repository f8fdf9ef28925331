"""How two raters agree, or how several do, as ratios with their intervals by bootstrap over cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from analysis.bootstrap import draws, ends, ratio
from analysis.reliability.alpha import alpha
from analysis.reliability.kappa import Floats, kappas, presence
from analysis.reliability.raters import Rated
from analysis.values.means import grouped
from analysis.values.sets import Ints, size
from analysis.values.similarity import similarities
from analysis.values.sums import GRAIN
from analysis.values.taxonomy import Taxonomy

Statistic = Callable[[Sequence[Floats]], Floats]
"""Some ratios from sums: of each term an array of its columns, alone or by draws."""


@dataclass(frozen=True, slots=True)
class Ratios:
    """The parts of ratios, with the intervals. An alpha is 1 - D_o / D_e, a kappa (p_o - p_e) / (1 - p_e)."""

    numerator: Floats
    denominator: Floats
    low: Floats
    high: Floats


def sets_alike(two: Rated, cases: int) -> Ratios:
    """The share of turns with equal sets, and the mean Jaccard, in which two empty sets are alike."""
    one, other = two.sets
    equal = (one == other).all(axis=1).astype(np.int64)
    jaccard = similarities(one, other, Taxonomy((), ()))["jaccard"]
    jaccard[size(one | other) == 0] = GRAIN
    units = _by_case(np.ones(len(equal), np.int64), two.cases, cases)
    sums = [_by_case(equal, two.cases, cases) / 1, _by_case(jaccard, two.cases, cases) / GRAIN, units / 1]

    def shares(terms: Sequence[Floats]) -> Floats:
        return ratio(np.concatenate(terms[:2]), terms[2])

    low, high = _intervals(shares, sums)
    above = np.concatenate([one.sum(axis=0) for one in sums[:2]])
    return Ratios(above, np.full(2, float(units.sum())), low, high)


def kappa(two: Rated, cases: int, values: int) -> tuple[Ratios, Ints]:
    """Kappa of each value, the mean of those that are defined, and that of all cells of turns and values.

    And the table of each value, [[both, first alone], [second alone, neither]]. The point estimates are
    those of `statsmodels.stats.inter_rater.cohens_kappa`.
    """
    from statsmodels.stats.inter_rater import cohens_kappa

    one, other = two.sets
    found = presence(one, other, two.cases, cases, values)
    low, high = _intervals(
        _all_kappas, [found.both / 1, found.first / 1, found.second / 1, found.units[:, None] / 1]
    )
    tables = found.tables
    chance = np.array([_chance(table) for table in tables])
    used = tables.reshape(-1, 4)[:, :3].sum(axis=1) > 0
    defined = used & (chance < 1)
    each = np.zeros(len(tables))
    each[defined] = [cohens_kappa(table, return_results=False) for table in tables[defined]]
    pooled = tables.sum(axis=0)
    expected = _chance(pooled) if used.any() else 1.0
    whole = cohens_kappa(pooled, return_results=False) if expected < 1 else 0.0
    below = np.concatenate([np.where(defined, 1 - chance, 0), [defined.sum(), 1 - expected]])
    above = np.concatenate([each * (1 - chance), [each.sum(), whole * (1 - expected)]])
    return Ratios(above, below, low, high), tables


def alphas(raters: Rated, cases: int) -> Ratios:
    """Krippendorff's alpha with the distances 1 - Jaccard and 1 - MASI.

    The bootstrap draws D_o and holds D_e, as Krippendorff's own does.
    """
    found = alpha(raters.sets, raters.given)
    units = np.rint(found.by_unit * GRAIN).astype(np.int64)  # whole: sums in any order
    apart = [_by_case(one, raters.cases, cases) / GRAIN for one in units]

    def statistic(terms: Sequence[Floats]) -> Floats:
        return 1 - ratio(ratio(np.concatenate(terms[:2]), terms[2]), found.expected[:, None])

    low, high = _intervals(statistic, [*apart, _by_case(found.labels, raters.cases, cases) / 1])
    return Ratios(found.expected - found.observed, found.expected, low, high)


def _all_kappas(terms: Sequence[Floats]) -> Floats:
    """The kappas of values, their mean, and that of all cells together, from sums by value, and by draw."""
    both, first, second, units = terms
    one = kappas(both, first, second, np.broadcast_to(units, both.shape))
    defined = ~np.isnan(one)
    mean = ratio(np.where(defined, one, 0).sum(axis=0), defined.sum(axis=0))
    pooled = kappas(both.sum(axis=0), first.sum(axis=0), second.sum(axis=0), units[0] * len(both))
    return np.concatenate([one, mean[None], pooled[None]])


def _chance(table: Ints) -> float:
    """The agreement of a table that chance alone gives."""
    total = table.sum()
    return float((table.sum(axis=0) * table.sum(axis=1)).sum() / total**2) if total else 1.0


def _by_case(counts: Ints, of: Ints, cases: int) -> Ints:
    """The sum of counts by case, as one column."""
    sums = np.zeros(cases, np.int64)
    np.add.at(sums, of, counts)
    return sums[:, None]


def _intervals(statistic: Statistic, terms: Sequence[Floats]) -> tuple[Floats, Floats]:
    """The intervals of ratios of sums; each term has a row per case."""
    bounds = np.cumsum([0, *(term.shape[1] for term in terms)])
    columns = np.concatenate([grouped(term) for term in terms], axis=1)
    drawn: list[Floats] = []
    for weights in draws(len(columns)) if len(columns) else ():
        sums = columns.T @ weights.T.astype(np.float64)
        drawn.append(statistic([sums[slice(*pair)] for pair in pairwise(bounds)]))
    if not drawn:
        empty = statistic([np.zeros((term.shape[1], 1)) for term in terms])
        return np.full(len(empty), np.nan), np.full(len(empty), np.nan)
    return ends(np.concatenate(drawn, axis=1))
