"""Estimators from pairs of verdicts, for which phi may be anything: `pairwise` and `pairwise_same_model`.

The likelihood is composite, for a verdict stands in many pairs: only errors clustered by case are valid.
Pairs of one model are also free of whatever the model alone leans to on a case, which all other estimators
mistake for inertia (spurious inertia) and for less conformity.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from analysis.model.design import Design
from analysis.model.estimate import Estimate, free_theta, with_slopes
from analysis.model.newton import ENOUGH, HALVINGS, STEPS
from analysis.model.pairs import Pairs, contrasts, pairs
from analysis.model.profiled import Inverse, invert
from analysis.model.rows import Flags, Floats


def pairwise(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """Conditional likelihood of all pairs of verdicts on a case from different debates."""
    theta = free_theta(design)
    theta[0] = False
    return _maximum(design, weights, start, pairs(design.rows, same_model=False), with_slopes(design, theta))


def pairwise_same_model(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """The same of pairs of one model only; theta cancels too."""
    theta = np.zeros((len(design.rows.models), len(design.rows.labels)), bool)
    return _maximum(design, weights, start, pairs(design.rows, same_model=True), with_slopes(design, theta))


@dataclass(frozen=True, slots=True)
class _Look:
    """At some parameters: the log-likelihood, the score of each case, the information."""

    loglik: float
    scores: Floats
    information: Floats

    def inverse(self, free: Flags) -> Inverse:
        return invert(self.information, free)


def _maximum(design: Design, weights: Floats, start: Estimate | None, of: Pairs, free: Flags) -> Estimate:
    beta = np.zeros(design.n_parameters) if start is None else start.beta
    steps, here = 0, _look(design, of, beta, weights)
    decrement = _decrement(here, free, weights)
    while decrement >= ENOUGH and steps < STEPS:
        step = here.inverse(free).matrix @ (weights @ here.scores)
        for _ in range(HALVINGS):
            there = _look(design, of, beta + step, weights)
            if there.loglik >= here.loglik:
                break
            step = step / 2
        beta, here, steps = beta + step, there, steps + 1
        decrement = _decrement(here, free, weights)
    return Estimate(
        design=design,
        beta=beta,
        free=free,
        inverse=here.inverse(free),
        scores=here.scores,
        loglik=here.loglik,
        steps=steps,
        converged=decrement < ENOUGH,
        decrement=decrement,
        weights=weights,
        pairs=len(of),
    )


def _decrement(here: _Look, free: Flags, weights: Floats) -> float:
    total = weights @ here.scores
    return float(total @ here.inverse(free).matrix @ total)


def _look(design: Design, of: Pairs, beta: Floats, weights: Floats) -> _Look:
    """The composite log-likelihood and its derivatives, pair after pair in blocks."""
    cases, count = len(weights), design.n_parameters
    loglik, scores, information = 0.0, np.zeros((cases, count)), np.zeros((count, count))
    for begin, end in of.blocks():
        block = slice(of.start[begin], of.start[end])
        z = contrasts(design, of.first[block], of.second[block])
        weight = np.repeat(weights[begin:end], np.diff(of.start[begin : end + 1]))
        eta = z @ beta
        p = expit(eta)
        loglik -= float(weight @ np.logaddexp(0, -eta))
        case = np.repeat(np.arange(end - begin), np.diff(of.start[begin : end + 1]))
        by_case = csr_array((1 - p, (case, np.arange(len(p)))), shape=(end - begin, len(p)))
        scores[begin:end] = by_case @ z
        information += z.T @ (z * (weight * p * (1 - p))[:, None])
    return _Look(loglik, scores, information)
