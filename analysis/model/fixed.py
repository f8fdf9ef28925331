"""Estimators that estimate phi like any other parameter: `fe`, `l2` and `paper`.

With few verdicts for each case the slopes of `fe` are biased towards 0, for phi takes up part of what they
explain (incidental parameters: Neyman and Scott 1948); no standard error tells that.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.model.design import Design
from analysis.model.estimate import Cases, Estimate, free_theta, with_slopes
from analysis.model.likelihood import scatter
from analysis.model.newton import Climb, Problem, climb, effective, of_free
from analysis.model.rows import Floats

PAPER_SD = (1.0, 1.0, 0.5)
"""Standard deviations of the priors of theta, phi and the slopes in the paper's published code."""


def fe(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """Maximum likelihood with a free phi for each case.

    In its limit: a label not given in a case leaves the choices there, and a case with one label only says
    nothing. Theta is told against the first model.
    """
    rows = design.rows
    given = scatter((len(rows.cases), len(rows.labels)), (rows.case, rows.y), np.ones(len(rows)))
    seen = given > 0
    limited = replace(design, choices=design.choices & seen[design.case])
    case_free = seen.copy()
    case_free[np.arange(len(seen)), given.argmax(axis=1)] = False
    theta = free_theta(limited)
    theta[0] = False
    nothing = np.zeros(design.n_parameters)
    problem = Problem(
        limited, with_slopes(design, theta), case_free, np.zeros((len(rows.labels),) * 2), nothing, weights
    )
    return _estimate(problem, start)


def l2(design: Design, weights: Floats, start: Estimate | None = None, penalty: float = 1.0) -> Estimate:
    """Phi drawn towards 0 by half of `penalty` times its square, which is a normal prior; theta is not."""
    width = len(design.rows.labels)
    case_free = np.ones((len(weights), width), bool)
    free = with_slopes(design, free_theta(design))
    problem = Problem(
        design, free, case_free, penalty * np.eye(width), np.zeros(design.n_parameters), weights
    )
    return _estimate(problem, start)


def paper(design: Design, weights: Floats, start: Estimate | None = None) -> Estimate:
    """The mode of the posterior under the priors of the paper's published code.

    Theta and phi are centred over labels there, with standard normal priors, and slopes have a standard
    deviation of 0.5. A centred mode is that of uncentred parameters with the same priors, found here.
    """
    width = len(design.rows.labels)
    sd_theta, sd_phi, sd_slope = PAPER_SD
    ridge = np.full(design.n_parameters, sd_slope**-2)
    ridge[: design.n_theta] = sd_theta**-2
    problem = Problem(
        replace(design, choices=np.ones_like(design.choices)),
        np.ones(design.n_parameters, bool),
        np.ones((len(weights), width), bool),
        sd_phi**-2 * np.eye(width),
        ridge,
        weights,
    )
    return _estimate(problem, start)


def _estimate(problem: Problem, start: Estimate | None) -> Estimate:
    design = problem.design
    beta = np.zeros(design.n_parameters)
    phi = np.zeros((len(problem.weights), design.levels, len(design.rows.labels)))
    if start is not None and start.cases is not None:
        beta, phi = start.beta, start.cases.mean
    return _told(problem, climb(problem, beta, phi))


def _told(problem: Problem, climbed: Climb) -> Estimate:
    """The estimate that Newton's method found."""
    state = climbed.state
    return Estimate(
        design=problem.design,
        beta=state.beta,
        free=problem.free,
        inverse=state.inverse,
        scores=state.scores - problem.ridge * state.beta / len(problem.weights),
        loglik=float(problem.weights @ state.found.loglik),
        steps=climbed.steps,
        converged=climbed.converged,
        decrement=state.decrement(problem.weights),
        weights=problem.weights,
        cases=Cases(state.phi, of_free(state.profile.inverse, problem)),
        effective=effective(problem, state),
    )
