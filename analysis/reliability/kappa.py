"""Cohen's kappa of two raters for whether a value is in a label, value by value and over all.

A value that neither names has no kappa and is not in the mean. One that a single rater names has a kappa of
exactly 0, whatever the labels: agreement is then what chance gives. It stays in the mean, as kappa is defined
and as the paper's macro has it: without it, a rater who names what no other does would lose nothing. Such
values are marked and counted, so that who reads the mean can tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.bootstrap import ratio
from analysis.values.sets import Ints, Sets, listed

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Presence:
    """By case and value: labels of both raters with the value, of the first alone, of the second alone.

    `units` is by case how many turns both have labelled.
    """

    both: Ints
    first: Ints
    second: Ints
    units: Ints

    @property
    def tables(self) -> npt.NDArray[np.int64]:
        """The table of each value, [[both, first], [second, neither]]: shape (values, 2, 2)."""
        both, first, second = (one.sum(axis=0) for one in (self.both, self.first, self.second))
        neither = self.units.sum() - both - first - second
        return np.stack([both, first, second, neither], axis=1).reshape(-1, 2, 2)


def presence(one: Sets, other: Sets, case: Ints, cases: int, values: int) -> Presence:
    """The counts for turns of which two raters gave these sets, a row each; `case` is that of each turn."""

    def counts(sets: Sets) -> Ints:
        owner, value = listed(sets)
        flat = np.bincount(case[owner] * values + value, minlength=cases * values)
        return flat.reshape(cases, values).astype(np.int64)

    units = np.bincount(case, minlength=cases).astype(np.int64)
    return Presence(counts(one & other), counts(one & ~other), counts(other & ~one), units)


def kappas(both: Floats, first: Floats, second: Floats, units: Floats) -> Floats:
    """Kappa elementwise; not a number where a value is never used by both raters, or always by both."""
    observed = both + (units - both - first - second)
    one, other = both + first, both + second
    chance = ratio(one * other + (units - one) * (units - other), units)
    return np.where(one + other == 0, np.nan, ratio(observed - chance, units - chance))
