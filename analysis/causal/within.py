"""Inertia from the order of verdicts within a conversation, whatever that conversation leans to.

A seat that is asked again alone gives v with odds exp(a[v] + alpha 1[v is its last verdict]), where a may be
anything, another in every conversation: what its model prefers, what the case calls for, and what this one
conversation leans to. Given its first and its last verdict and how often each was given between, the order of
those between has a probability proportional to exp(alpha s), where s is how often a verdict is that before
it: all else cancels (Chamberlain 1985 for two labels; Magnac 2000 for several). So a leaning that lasts
through a conversation, which looks like inertia to every model that does not know it, is none here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.causal.arms import ReAsked
from analysis.causal.arrangements import SHORTEST, readable_runs, stays, ways
from analysis.model.newton import ENOUGH, STEPS
from analysis.model.rows import Floats, Ints


@dataclass(frozen=True, slots=True)
class Within:
    """Inertia `alpha` in log-odds, null where no order tells of it, with its error clustered by case.

    `informative` of the `runs` of readable verdicts have orders that differ in how often they stay; they are
    of `cases` cases. `reason` is why there is no estimate.
    """

    alpha: float
    se: float
    informative: int
    runs: int
    cases: int
    reason: str = ""


def within(arm: ReAsked) -> Within:
    """The maximum of the conditional likelihood of the conversations of `arm`, taken as of one model.

    An unreadable verdict cuts a conversation into runs, each with a first verdict of its own.
    """
    runs = [(arm.case[row], run) for row, run in readable_runs(arm.said)]
    long = [(case, stays(run), ways(run)) for case, run in runs if len(run) >= SHORTEST]
    told = [one for one in long if np.count_nonzero(one[2]) > 1]
    case = np.array([one[0] for one in told], np.int64)
    cases = len(np.unique(case))
    nothing = Within(np.nan, np.nan, len(told), len(runs), cases)
    if not long:
        return _because(nothing, f"no conversation has {SHORTEST} readable verdicts in a row")
    if cases < 2:
        return _because(nothing, "too few conversations change their verdict and stay with it as well")
    stayed = np.array([one[1] for one in told], np.float64)
    orders = _padded([one[2] for one in told])
    least, most = (orders > 0).argmax(axis=1), orders.shape[1] - 1 - (orders[:, ::-1] > 0).argmax(axis=1)
    if (stayed == least).all() or (stayed == most).all():
        return _because(nothing, "every conversation stays as often as it can, or as little")
    alpha = _climb(stayed, orders)
    mean, variance = _moments(alpha, orders)
    return Within(alpha, _error(stayed - mean, variance, case, cases), len(told), len(runs), cases)


def _because(nothing: Within, reason: str) -> Within:
    return Within(nothing.alpha, nothing.se, nothing.informative, nothing.runs, nothing.cases, reason)


def _padded(rows: list[Floats]) -> Floats:
    padded = np.zeros((len(rows), max(map(len, rows))))
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    return padded


def _moments(alpha: float, orders: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of how often each run stays."""
    stay = np.arange(orders.shape[1])
    weight = orders * np.exp(alpha * (stay - stay.mean()))
    weight /= weight.sum(axis=1, keepdims=True)
    mean = weight @ stay
    return mean, weight @ stay**2 - mean**2


def _climb(stayed: Floats, orders: Floats) -> float:
    """Newton's method; the likelihood is concave, and a step is at most 1."""
    alpha = 0.0
    for _ in range(STEPS):
        mean, variance = _moments(alpha, orders)
        step = (stayed - mean).sum() / variance.sum()
        alpha += float(np.clip(step, -1, 1))
        if step**2 * variance.sum() < ENOUGH:
            break
    return alpha


def _error(left: Floats, variance: Floats, case: Ints, cases: int) -> float:
    """The sandwich error, clustered by case, with the factor D / (D - 1)."""
    by_case = np.bincount(case, weights=left)
    return float(np.sqrt((by_case**2).sum() * cases / (cases - 1)) / variance.sum())
