"""95% intervals of ratios of sums, by bootstrap over cases.

Debates of one case are alike, so a case is drawn as a whole, with all that was counted in it: each draw
weighs the cases by multinomial weights, which for ratios of sums is the same as drawing cases with
replacement and counting again (statistics of clusters: Davison and Hinkley 1997, section 3.8). Nothing but
the sums of each case is needed, so a draw costs one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

DRAWS = 10_000
"""How often the cases are drawn."""

SEED = 20_251_010
"""Where the draws begin; with the number of cases it determines them."""

LEVEL = 0.95
"""How much of the draws an interval holds, as much left out on both sides."""

Floats = NDArray[np.float64]
Statistic = Callable[..., Floats]
"""What an interval is of, elementwise from the sums of each term. Null where it is not defined."""

_WEIGHTS_AT_ONCE = 2**20
_EXACT = 2**24
"""Whole numbers below it are exact as floats of 32 bits, and so are sums that stay below it."""


def intervals(statistic: Statistic, *terms: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """The lower and the upper end of the interval of each of k statistics.

    `terms` are matrices of whole numbers, cases by k: what each case adds to the sums from which the
    statistics are made. The cases stand in the same order in all. A draw in which a statistic is not
    defined is left out of its interval; where it is in none, both ends are null.

    All draws of the statistics are held at once, 80,000 bytes for each: a caller with many gives them in
    blocks of some hundreds.
    """
    cases, width = terms[0].shape
    if not cases or not width:
        return np.full(width, np.nan), np.full(width, np.nan)
    distinct = [np.unique(term, axis=1, return_inverse=True) for term in terms]
    columns = [(_narrow(values), place.reshape(-1)) for values, place in distinct]
    drawn = np.empty((width, DRAWS))
    for start, weights in _draws(cases):
        sums = [(values.T @ weights.T).astype(np.float64)[place] for values, place in columns]
        with np.errstate(divide="ignore", invalid="ignore"):
            drawn[:, start : start + len(weights)] = statistic(*sums)
    return _percentiles(drawn)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Numerator by denominator; null where that is 0."""
    share: Floats = numerator / np.where(denominator == 0, np.nan, denominator)
    return share


def _narrow(values: NDArray[np.generic]) -> NDArray[np.floating]:
    """The numbers as floats, of 32 bits where all weighted sums of them are exact so."""
    greatest = float(np.abs(values).max(initial=0)) * len(values)
    return values.astype(np.float32 if greatest < _EXACT else np.float64)


def _draws(cases: int) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """All draws in blocks: the number of the first, and the weights, draws by cases."""
    step = max(1, _WEIGHTS_AT_ONCE // cases)
    for start in range(0, DRAWS, step):
        yield start, _weights(cases, start, min(step, DRAWS - start))


@lru_cache(maxsize=16)
def _weights(cases: int, start: int, draws: int) -> NDArray[np.float32]:
    """How often each case was drawn in some draws; each row sums to the number of cases."""
    drawn = np.random.default_rng([SEED, cases, start]).integers(0, cases, size=(draws, cases))
    drawn += cases * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * cases).reshape(draws, cases).astype(np.float32)


def _percentiles(drawn: Floats) -> tuple[Floats, Floats]:
    """Both ends for each row, interpolated between draws; nulls stand last when sorted."""
    drawn[~np.isfinite(drawn)] = np.nan
    drawn.sort(axis=1)
    defined = DRAWS - np.isnan(drawn).sum(axis=1)
    low, high = (_at(drawn, defined, share) for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return low, high


def _at(ordered: Floats, defined: NDArray[np.int64], share: float) -> Floats:
    """The quantile of the first `defined` values of each row."""
    place = np.maximum(defined - 1, 0) * share
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(defined - 1, 0))
    rows = np.arange(len(ordered))
    lower, upper = ordered[rows, below], ordered[rows, above]
    between: Floats = lower + (upper - lower) * (place - below)
    return between
