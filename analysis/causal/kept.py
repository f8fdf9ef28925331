"""How often a seat that is asked again keeps its verdict, against how often chance alone would have it so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.bootstrap import intervals, ratio
from analysis.causal.arms import NONE, ReAsked
from analysis.model.rows import Floats, Ints


@dataclass(frozen=True, slots=True)
class Shares:
    """A share, the share it is set against, and their difference; each with its 95% interval by cases.

    `numerator` and `denominator` are counts, share first, then what it is set against. `estimate`, `low` and
    `high` have three entries: both shares and the difference; they are null where nothing was counted, and
    intervals where there is one case only. `cases` are those in both denominators.
    """

    numerator: tuple[int, int]
    denominator: tuple[int, int]
    estimate: Floats
    low: Floats
    high: Floats
    cases: int


def kept(arm: ReAsked) -> Shares:
    """The share of verdicts kept from one asking to the next, against that between other conversations.

    `arm` is taken as of one model. A verdict is compared with the one before it in its own conversation, and
    with the one at the same place of every conversation about its case in another debate. What the model
    prefers and what the case calls for is in both alike, so the difference is what a conversation adds:
    inertia, and whatever else lasts through it.
    """
    both = (arm.said[:, 1:] != NONE) & (arm.said[:, :-1] != NONE)
    same = both & (arm.said[:, 1:] == arm.said[:, :-1])
    own = [np.bincount(arm.case, flags.sum(axis=1), len(arm.cases)) for flags in (same, both)]
    debates, of = np.unique(arm.debate, return_inverse=True)
    case_of = np.zeros(len(debates), np.int64)
    case_of[of] = arm.case
    among = [
        np.bincount(case_of, pairs, len(arm.cases))
        for pairs in _pairs(arm.said, of, len(debates), arm.labels)
    ]
    everyone = _pairs(arm.said, arm.case, len(arm.cases), arm.labels)
    return shares(*own, *(every - mine for every, mine in zip(everyone, among, strict=True)))


def shares(
    above: NDArray[Any], below: NDArray[Any], against_above: NDArray[Any], against_below: NDArray[Any]
) -> Shares:
    """Two shares and their difference, from numerators and denominators by case."""
    counts = [np.rint(one).astype(np.int64) for one in (above, below, against_above, against_below)]
    totals = [int(one.sum()) for one in counts]
    estimate = _both(*(one.sum(keepdims=True)[:, None] for one in counts))[:, 0, 0]
    cases = int(((counts[1] > 0) & (counts[3] > 0)).sum())
    some = (counts[1] > 0) | (counts[3] > 0)
    low, high = intervals(_both, *(one[some, None] for one in counts))
    enough = np.where(some.sum() > 1, 1.0, np.nan)
    return Shares(
        numerator=(totals[0], totals[2]),
        denominator=(totals[1], totals[3]),
        estimate=estimate,
        low=low[:, 0] * enough,
        high=high[:, 0] * enough,
        cases=cases,
    )


def _both(above: Floats, below: Floats, against_above: Floats, against_below: Floats) -> Floats:
    """3 by k by draws: both shares and their difference."""
    share, against = ratio(above, below), ratio(against_above, against_below)
    return np.stack([share, against, share - against])


def _pairs(said: Ints, group: Ints, size: int, labels: Sequence[str]) -> tuple[Floats, Floats]:
    """Pairs of a verdict and one before it, of any two conversations of a group: alike, and all, by group."""
    before, now = (_counts(one, group, size, len(labels)) for one in (said[:, :-1], said[:, 1:]))
    return (before * now).sum(axis=(1, 2)), (before.sum(axis=2) * now.sum(axis=2)).sum(axis=1)


def _counts(said: Ints, group: Ints, size: int, width: int) -> Floats:
    """Groups by places by labels: how often each label was given."""
    counts = np.zeros((size, said.shape[1], width))
    row, place = np.nonzero(said != NONE)
    np.add.at(counts, (group[row], place, said[row, place]), 1)
    return counts
