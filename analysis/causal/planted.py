"""Conformity by randomisation: what a verdict that the plan drew does to the next verdict of who hears it.

What is drawn has nothing to do with case, model or debate, so neither has the difference between verdicts
that follow one drawing and those that follow another: no model is needed for it, and no assumption but that
the drawing was fair and that what cannot be read does not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.causal.arms import Planted
from analysis.causal.kept import Shares, shares
from analysis.model.rows import Ints

REDRAWN = 10_000
"""How often the plan's drawing is done again for the test."""

SEED = 20_251_010

AT_ONCE = 2**21
"""Drawings worked on at once, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Conformity:
    """`shares`: how often the drawn label is given, against how often each of the others is, on average.

    `p` is that of the hypothesis that no verdict depends on what was drawn, two-sided, by drawing again.
    """

    shares: Shares
    p: float


def conformity(arm: Planted) -> Conformity:
    """The effect of the planted verdict on choosing it, in the readable verdicts of `arm`.

    The mean over labels v of P(v | v planted) - P(v | another planted), of which the difference of
    shares is an unbiased estimate.
    """
    some = arm.where(arm.readable)
    hit = some.said == some.planted
    others = len(some.labels) - 1
    size = len(some.cases)
    counts = [
        np.bincount(some.case, weight, size)
        for weight in (hit, np.ones(len(hit)), ~hit, np.full(len(hit), others))
    ]
    return Conformity(shares(*counts), redrawn(some))


def redrawn(arm: Planted, draws: int = REDRAWN, seed: int = SEED) -> float:
    """The share of new drawings after which the planted label is given as often as it was, or more extremely.

    Verdicts stay as they are. What is drawn at once is drawn anew at once. Null without verdicts.
    """
    if not len(arm.said):
        return float("nan")
    given = _given(arm)
    expected = given.sum() / given.shape[1]
    seen = abs(int((arm.said == arm.planted).sum()) - expected)
    dice = np.random.default_rng([seed, len(given)])
    at_once = max(1, AT_ONCE // len(given))
    extreme = sum(
        int(
            _extreme(
                given,
                dice.integers(0, given.shape[1], (min(at_once, draws - begin), len(given))),
                seen,
                expected,
            )
        )
        for begin in range(0, draws, at_once)
    )
    return (1 + extreme) / (1 + draws)


def _given(arm: Planted) -> Ints:
    """Drawings by labels: how many verdicts after a drawing gave each."""
    _, draw = np.unique(arm.draw, return_inverse=True)
    given = np.zeros((int(draw.max()) + 1, len(arm.labels)), np.int64)
    np.add.at(given, (draw, arm.said), 1)
    return given


def _extreme(given: Ints, drawn: Ints, seen: float, expected: float) -> int:
    """In how many of the drawings the hits are as far from what is expected as they were."""
    hits = given[np.arange(len(given)), drawn].sum(axis=1)
    return int((np.abs(hits - expected) >= seen - 1e-9).sum())
