"""95% intervals of ratios of sums, by bootstrap over cases.

Debates of one case are alike, so a case is drawn as a whole, with all that was counted in it: each draw
weighs the cases by multinomial weights, which for ratios of sums is the same as drawing cases with
replacement and counting again (statistics of clusters: Davison and Hinkley 1997, section 3.8). Nothing but
the sums of each case is needed, so a draw costs one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

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
"""What an interval is of: from the sums of each term, k by draws, an array of k by draws, or several of them
stacked. Null where it is not defined."""

_WEIGHTS_AT_ONCE = 2**20
_EXACT = 2**24
"""Whole numbers below it are exact as floats of 32 bits, and so are sums that stay below it."""

_AS_DEAR = 1000
"""Cases whose weights cost as much as to draw how often one pattern comes up."""


def intervals(statistic: Statistic, *terms: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """The lower and the upper end of the interval of each of k statistics, shaped as the statistic is.

    `terms` are matrices of whole numbers, cases by k: what each case adds to the sums from which the
    statistics are made. The cases stand in the same order in all. A draw in which a statistic is not
    defined is left out of its interval; where it is in none, both ends are null.

    All draws of the statistics are held at once, 80,000 bytes for each: a caller with many gives them in
    blocks of some hundreds.
    """
    if not terms[0].size:
        nothing = statistic(*(np.zeros((terms[0].shape[1], 1)) for _ in terms))[..., 0]
        return np.full_like(nothing, np.nan), np.full_like(nothing, np.nan)
    together, same = np.unique(np.concatenate(terms), axis=1, return_inverse=True)
    columns = np.split(together, len(terms))
    patterns = _few_patterns(columns)
    others = np.setdiff1d(np.arange(together.shape[1]), list(patterns))
    ends = [_ends(statistic, _weighted([column[:, others] for column in columns]))] if len(others) else []
    ends += [_ends(statistic, _by_pattern(*pattern)) for pattern in patterns.values()]
    order = np.argsort([*others, *patterns])[same.reshape(-1)]
    low, high = (np.concatenate(end, axis=-1)[..., order] for end in zip(*ends, strict=True))
    return low, high


def ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> Floats:
    """Numerator by denominator; null where that is 0."""
    share: Floats = numerator / np.where(denominator == 0, np.nan, denominator)
    return share


def _few_patterns(terms: Sequence[NDArray[Any]]) -> dict[int, tuple[NDArray[Any], NDArray[np.int64]]]:
    """For columns in which cases are of a few kinds: what each kind adds, and how many cases are of it."""
    cases = len(terms[0])
    found = {}
    for place in range(terms[0].shape[1] if cases >= _AS_DEAR else 0):
        added = np.column_stack([term[:, place] for term in terms])
        kinds, often = np.unique(added, axis=0, return_counts=True)
        if len(kinds) <= cases / _AS_DEAR:
            found[place] = (kinds, often)
    return found


def _by_pattern(kinds: NDArray[Any], often: NDArray[np.int64]) -> Iterator[list[Floats]]:
    """The sums of one column in all draws, from how often cases of each kind are drawn."""
    cases = often.sum()
    drawn = np.random.default_rng([SEED, int(cases)]).multinomial(cases, often / cases, size=DRAWS)
    yield [(drawn @ values)[None].astype(np.float64) for values in kinds.T]


def _weighted(terms: Sequence[NDArray[Any]]) -> Iterator[list[Floats]]:
    """The sums of all columns, in some of the draws after others."""
    distinct = [np.unique(term, axis=1, return_inverse=True) for term in terms]
    columns = [(_narrow(values), place.reshape(-1)) for values, place in distinct]
    for weights in draws(len(terms[0])):
        yield [(values.T @ weights.T).astype(np.float64)[place] for values, place in columns]


def _narrow(values: NDArray[Any]) -> NDArray[np.floating]:
    """The numbers as floats, of 32 bits where all weighted sums of them are exact so."""
    greatest = float(np.abs(values).max(initial=0)) * len(values)
    return values.astype(np.float32 if greatest < _EXACT else np.float64)


def draws(cases: int) -> Iterator[NDArray[np.float32]]:
    """The weights of all draws, draws by cases, in blocks. Always the same ones."""
    step = max(1, _WEIGHTS_AT_ONCE // max(cases, 1))
    for start in range(0, DRAWS, step):
        yield _weights(cases, start, min(step, DRAWS - start))


@lru_cache(maxsize=16)
def _weights(cases: int, start: int, draws: int) -> NDArray[np.float32]:
    """How often each case was drawn in some draws; each row sums to the number of cases."""
    drawn = np.random.default_rng([SEED, cases, start]).integers(0, cases, size=(draws, cases))
    drawn += cases * np.arange(draws)[:, None]
    return np.bincount(drawn.ravel(), minlength=draws * cases).reshape(draws, cases).astype(np.float32)


def _ends(statistic: Statistic, sums: Iterator[list[Floats]]) -> tuple[Floats, Floats]:
    """Both ends for each statistic, from its sums in all draws."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return ends(np.concatenate([statistic(*block) for block in sums], axis=-1))


def ends(drawn: NDArray[np.floating]) -> tuple[Floats, Floats]:
    """Both ends of the interval of each row, interpolated between draws; sorts rows, nulls last, in place."""
    drawn[~np.isfinite(drawn)] = np.nan
    drawn.sort(axis=-1)
    defined = DRAWS - np.isnan(drawn).sum(axis=-1)
    low, high = (_at(drawn, defined, share) for share in ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return low, high


def _at(ordered: NDArray[np.floating], defined: NDArray[np.int64], share: float) -> Floats:
    """The quantile of the first `defined` values along the last axis."""
    last = np.maximum(defined - 1, 0)
    below = np.floor(last * share).astype(np.int64)
    above = np.minimum(below + 1, last)
    lower, upper = (np.take_along_axis(ordered, at[..., None], axis=-1)[..., 0] for at in (below, above))
    between: Floats = lower + (upper - lower) * (last * share - below)
    return between
