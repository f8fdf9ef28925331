"""Means of counts and their differences, with the draws that their intervals are made of.

A mean is a ratio of sums over cases. Its draws are those of `bootstrap`, the same for every mean of a run,
so differences of means, and mixtures of labellings, are had draw by draw. Where there are more than
`CLUSTERS` cases, cases are drawn in so many groups of cases: the interval is of the same width, and its
cost does not grow with the cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from analysis.bootstrap import DRAWS, draws, ratio
from analysis.values.sets import Ints

CLUSTERS = 1500
"""Groups of cases that are drawn at the most."""

T = TypeVar("T")
N = TypeVar("N", bound=np.generic)

Sums: TypeAlias = tuple[Ints, Ints]
"""Numerators and denominators, both by case. A denominator may belong to several numerators that stand
together, as many for each."""

_AT_ONCE = 1500
"""Means that are made at once, at the least."""

Floats = npt.NDArray[np.float64]
Draws = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Means:
    """Some means: a column of each array for each.

    `above` and `below` are the sums, `cases` how many cases have any of `below`; `shifts` says by how
    much each group of cases moves the mean; `drawn` has a row per mean and a column per draw.
    """

    above: Floats
    below: Ints
    cases: Ints
    shifts: Floats
    drawn: Draws

    @property
    def estimate(self) -> Floats:
        """The means; not a number where there is nothing to count."""
        return ratio(self.above, self.below)

    def take(self, columns: Ints) -> Means:
        """These of the means, in this order."""
        return Means(
            self.above[columns],
            self.below[columns],
            self.cases[columns],
            self.shifts[:, columns],
            self.drawn[columns],
        )


def with_means(
    prepared: Iterable[tuple[T, Sequence[Sums]]], grain: int = 1
) -> Iterator[tuple[T, list[Means]]]:
    """Each of `prepared` again, with the means of its sums, whose numerators are in units of 1 / `grain`.

    Draws cost least when many means are drawn at once, and memory most: so means are made in batches.
    """
    batch: list[tuple[T, Sequence[Sums]]] = []
    for one in prepared:
        batch.append(one)
        if sum(above.shape[1] for _, sums in batch for above, _ in sums) >= _AT_ONCE:
            yield from _means(batch, grain)
            batch = []
    yield from _means(batch, grain)


def _means(batch: Sequence[tuple[T, Sequence[Sums]]], grain: int) -> Iterator[tuple[T, list[Means]]]:
    """The means of one batch: the sums of all in each draw come from one product of matrices."""
    sums = [(grouped(above), grouped(below)) for _, own in batch for above, below in own]
    bounds = np.cumsum([0, *(one.shape[1] for pair in sums for one in pair)])
    if not batch:
        return
    columns = np.concatenate([one for pair in sums for one in (pair[0] / grain, pair[1])], axis=1)
    drawn = [np.empty((above.shape[1], DRAWS), np.float32) for above, _ in sums]
    narrow = np.ascontiguousarray(columns.T, np.float32)
    start = 0
    for weights in draws(len(columns)) if bounds[-1] else ():
        totals = narrow @ weights.T
        for place, into in enumerate(drawn):
            above, below = (totals[slice(*bounds[2 * place + i : 2 * place + i + 2])] for i in (0, 1))
            into[:, start : start + len(weights)] = ratio(above, _repeated(below, len(above)))
        start += len(weights)
    made = iter(
        [
            _mean(*pair, grain, one)
            for pair, one in zip((s for _, own in batch for s in own), drawn, strict=True)
        ]
    )
    for one, own in batch:
        yield one, [next(made) for _ in own]


def _mean(above: Ints, below: Ints, grain: int, drawn: Draws) -> Means:
    """The means of these columns, of which the draws are there."""
    many, each = grouped(above) / grain, _repeated(grouped(below).T, above.shape[1]).T.astype(np.float64)
    total, by_case = many.sum(axis=0), _repeated(below.T, above.shape[1]).T
    estimate = ratio(total, each.sum(axis=0))
    shifts = ratio(many - estimate * each, each.sum(axis=0))
    return Means(total, by_case.sum(axis=0), (by_case != 0).sum(axis=0), shifts, drawn)


def _repeated(below: npt.NDArray[N], rows: int) -> npt.NDArray[N]:
    """As many rows as asked for: each as often as columns of numerators stand together."""
    return np.repeat(below, rows // max(len(below), 1), axis=0)


def grouped(counts: npt.NDArray[N]) -> npt.NDArray[N]:
    """Counts by case added up in at most `CLUSTERS` groups of cases."""
    if len(counts) <= CLUSTERS:
        return counts
    sums = np.zeros((CLUSTERS, counts.shape[1]), counts.dtype)
    for start in range(0, len(counts), CLUSTERS):
        block = counts[start : start + CLUSTERS]
        sums[: len(block)] += block
    return sums
