"""`re`: phi is drawn from a normal distribution over cases, and integrated over."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.model.design import Design
from analysis.model.estimate import Cases, Estimate, base_label, free_theta, with_slopes
from analysis.model.laplace import Laplace, integrate
from analysis.model.newton import Problem, State, climb, effective, look, of_free
from analysis.model.rows import Floats
from analysis.model.spread import Spread, wide

ROUNDS = 200
"""How often the spread is learned at most."""

ENOUGH = 0.05
"""A gain in marginal log-likelihood by one round below which learning ends."""

NEAR = 0.01
"""A squared distance to the maximum in the parameters, in standard errors, that is near enough."""

FARTHEST = 1.0
"""How far a round moves any parameter at most."""

STRIDE = 1.7
"""How far the spread goes for each step of EM, which is slow but sure: below 2 it ends where EM does."""


def re(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """Maximum of the marginal likelihood, phi normal over cases with any covariance (Laplace, EM).

    Assumes that phi is normal and has nothing to do with the conditions that a case is played in, which holds
    by design where every case is played in all. With `levels` in the design, each model has a further normal
    leaning of its own on every case. A round is a Newton step for parameters and phi, and a stride of EM for
    the spread. The variance of a label that is hardly ever given is learned last and least surely; the slopes
    do not wait for it.
    """
    spread, state = _first(design, weights, start)
    loglik, rounds = -np.inf, 0
    while rounds < ROUNDS:
        rounds += 1
        problem = _problem(design, spread, weights)
        state = look(problem, state.beta, state.phi)
        found = integrate(problem, state, spread.covariance())
        before, loglik = loglik, float(weights @ found.loglik)
        gradient = weights @ found.scores
        if abs(loglik - before) < ENOUGH and gradient @ state.inverse.matrix @ gradient < NEAR:
            break
        learned = spread.learned(_moment(found, state, weights), weights.sum()).vector()
        spread = spread.at(spread.vector() + STRIDE * (learned - spread.vector()))
        of_beta, of_phi = state.step(
            gradient / max(1.0, np.abs(state.inverse.matrix @ gradient).max() / FARTHEST)
        )
        state = replace(state, beta=state.beta + of_beta, phi=state.phi + of_phi)
    return _estimate(problem, state, found, spread, rounds)


def _first(design: Design, weights: Floats, start: Estimate | None) -> tuple[Spread, State]:
    """Where learning begins: at an earlier estimate, or at the penalised maximum under a wide spread."""
    spread = _start(design)
    beta = np.zeros(design.n_parameters)
    phi = np.zeros((len(weights), design.levels, len(design.rows.labels)))
    if start is not None and start.cases is not None and start.cases.spread is not None:
        beta, phi, spread = start.beta, start.cases.mean, start.cases.spread
    return spread, climb(_problem(design, spread, weights), beta, phi, enough=1.0).state


def _start(design: Design) -> Spread:
    """The spread to begin with, of all labels that are given but the base."""
    width = len(design.rows.labels)
    labels = np.setdiff1d(np.unique(design.rows.y), base_label(design))
    return wide(labels, width, design.levels)


def _problem(design: Design, spread: Spread, weights: Floats) -> Problem:
    case_free = np.zeros((len(weights), spread.levels * spread.width), bool)
    case_free[:, spread.places] = True
    precision = spread.embedded(np.asarray(np.linalg.inv(spread.covariance()), np.float64))
    free = with_slopes(design, free_theta(design))
    return Problem(design, free, case_free, precision, np.zeros(design.n_parameters), weights)


def _moment(found: Laplace, state: State, weights: Floats) -> Floats:
    """The sum over cases of phi phi', given the verdicts."""
    products = found.mean[:, :, None] * found.mean[:, None, :] + state.profile.inverse
    total: Floats = np.einsum("d,dlk->lk", weights, products)
    return total


def _estimate(problem: Problem, state: State, found: Laplace, spread: Spread, rounds: int) -> Estimate:
    total = problem.weights @ found.scores
    covariance = of_free(state.profile.inverse, problem)
    return Estimate(
        design=problem.design,
        beta=state.beta,
        free=problem.free,
        inverse=state.inverse,
        scores=found.scores,
        loglik=float(problem.weights @ found.loglik),
        steps=rounds,
        converged=rounds < ROUNDS,
        decrement=float(total @ state.inverse.matrix @ total),
        weights=problem.weights,
        cases=Cases(found.mean.reshape(state.phi.shape), covariance, spread),
        effective=effective(problem, state),
    )
