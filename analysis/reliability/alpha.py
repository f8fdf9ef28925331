"""Krippendorff's alpha for sets: agreement beyond chance where what raters give is a set of values.

alpha = 1 - D_o / D_e. D_o is the mean distance of two labels of one unit, D_e that of any two labels
(Krippendorff, Content Analysis, 4th ed. 2018, chapter 12), with units of fewer than two labels left out.
The distance is 1 - Jaccard, or 1 - MASI (Passonneau 2006), where MASI is Jaccard times 1 for equal
sets, 2/3 where one is a subset of the other, 1/3 where they overlap, 0 where they do not. Two empty
sets are equal. Distances depend only on the sizes of two sets and of what they share, so D_e is found
exactly without going through all pairs: by counting the pairs that have a subset in common.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from analysis.bootstrap import ratio
from analysis.values.sets import MOST, WORD, Bools, Ints, Sets, listed, size

Floats = npt.NDArray[np.float64]


KINDS = ("jaccard", "masi")
"""Distances: 1 less each of these."""


def distances(largest: int) -> Floats:
    """The distances of two sets of sizes a and b, up to `largest`, with i values in common.

    At [kind, a, b, i], the first for `KINDS`; from 0 to 1, and 0 where no two sets are such.
    """
    shape = (largest + 1,) * 3
    a, b, common = np.indices(shape)
    union = a + b - common
    jaccard = np.divide(common, union, out=np.ones(shape), where=union > 0)
    smaller = np.minimum(a, b)
    alike = np.select([(a == b) & (common == a), common == smaller], [1.0, 2 / 3], 1 / 3)
    possible = common <= smaller
    return np.where(possible, 1 - np.stack([jaccard, jaccard * alike]), 0.0)


@dataclass(frozen=True, slots=True)
class Alpha:
    """D_o and D_e of both `KINDS`, and what makes up D_o: by kind and unit the sum of its distances.

    `labels` are those of each unit that count: all of it, or none where it has but one.
    """

    observed: Floats
    expected: Floats
    by_unit: Floats
    labels: Ints

    @property
    def alpha(self) -> Floats:
        """From below 0 to 1; not a number where all labels are alike or none can be compared."""
        return 1 - ratio(self.observed, self.expected)


def alpha(sets: list[Sets], given: list[Bools]) -> Alpha:
    """Alpha of some raters: `sets[r]` are those of rater r, a row a unit, `given[r]` which it gave."""
    n = np.asarray(np.stack(given).sum(axis=0), np.int64)
    pairable, distance = n >= 2, distances(MOST)
    by_unit = np.zeros((len(KINDS), len(n)))
    for r, s in combinations(range(len(sets)), 2):
        both = given[r] & given[s]
        one, other = sets[r][both], sets[s][both]
        by_unit[:, both] += 2 * distance[:, size(one), size(other), size(one & other)]
    by_unit = np.divide(by_unit, n - 1, out=np.zeros_like(by_unit), where=pairable)
    labels = np.where(pairable, n, 0)
    total = max(int(labels.sum()), 2)
    pool = np.concatenate([one[mask & pairable] for one, mask in zip(sets, given, strict=True)])
    expected = (pairs_by_overlap(pool, MOST) * distance).sum(axis=(1, 2, 3)) / (total * (total - 1))
    return Alpha(by_unit.sum(axis=1) / total, expected, by_unit, labels)


def pairs_by_overlap(sets: Sets, largest: int) -> Ints:
    """Of all ordered pairs of sets, a set with itself included, how many are of sizes a and b and share i.

    At [a, b, i]. The k-subsets that pairs share, summed over pairs, are C(i, k) for each pair: from
    those sums the number of pairs that share exactly i follows downwards from the largest i.
    """
    shared = np.stack([_sharing(sets, largest, k) for k in range(largest + 1)], axis=2)
    for i in range(largest, -1, -1):
        for more in range(i + 1, largest + 1):
            shared[:, :, i] -= comb(more, i) * shared[:, :, more]
    return shared


def _sharing(sets: Sets, largest: int, k: int) -> Ints:
    """Summed over ordered pairs of sets of sizes a and b: the subsets of k values that both have."""
    n_values = sets.shape[1] * WORD
    _, value = listed(sets)
    sizes = size(sets)
    start = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    keys, of_size = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for a in range(k, largest + 1):
        first = start[sizes == a]
        for places in combinations(range(a), k):
            key = np.zeros(len(first), np.int64)
            for place in places:
                key = key * n_values + value[first + place]
            keys.append(key)
            of_size.append(np.full(len(first), a))
    subsets, subset = np.unique(np.concatenate(keys), return_inverse=True)
    width = largest + 1
    counts = np.bincount(subset * width + np.concatenate(of_size), minlength=len(subsets) * width)
    table = counts.reshape(len(subsets), width)
    return np.asarray(table.T @ table, np.int64)
