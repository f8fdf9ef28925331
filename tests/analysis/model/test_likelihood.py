"""Derivatives against differences, and the laws of the likelihood."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime

from analysis.model.convention import Convention
from analysis.model.design import Design, design
from analysis.model.features import rows_of
from analysis.model.fixed import fe, l2
from analysis.model.laplace import Laplace, integrate
from analysis.model.likelihood import derivatives
from analysis.model.mixed import re
from analysis.model.newton import Problem, look
from analysis.model.rows import Floats
from tests.analysis.model.debates import simulated

WIDTH = 5


@pytest.fixture(scope="module")
def small() -> Design:
    return design(rows_of(simulated(4)))


def at(made: Design) -> tuple[Floats, Floats]:
    dice = np.random.default_rng(0)
    cases = len(made.rows.cases)
    return dice.normal(0, 0.5, made.n_parameters), dice.normal(0, 1, (cases, made.levels, WIDTH))


def test_score_and_information_are_the_derivatives(small: Design) -> None:
    beta, phi = at(small)
    weights = np.array([1.0, 2.0, 0.0, 1.0])

    def loglik(parameters: Floats) -> float:
        return float(weights @ derivatives(small, parameters, phi, weights).loglik)

    def score(parameters: Floats) -> Floats:
        found: Floats = weights @ derivatives(small, parameters, phi, weights).score
        return found

    found = derivatives(small, beta, phi, weights)
    assert weights @ found.score == pytest.approx(approx_fprime(beta, loglik), abs=1e-4)
    assert found.information == pytest.approx(-approx_fprime(beta, score), abs=1e-4)


def test_what_concerns_phi_are_derivatives_too(small: Design) -> None:
    beta, phi = at(small)
    ones = np.ones(len(phi))

    def case_score(values: Floats) -> Floats:
        there = np.concatenate([values.reshape(1, 1, WIDTH), phi[1:]])
        return derivatives(small, beta, there, ones).case_score[0]

    def score(values: Floats) -> Floats:
        there = np.concatenate([values.reshape(1, 1, WIDTH), phi[1:]])
        return derivatives(small, beta, there, ones).score[0]

    found = derivatives(small, beta, phi, ones)
    assert found.case_information[0] == pytest.approx(-approx_fprime(phi[0, 0], case_score), abs=1e-4)
    assert pytest.approx(-approx_fprime(phi[0, 0], score), abs=1e-4) == found.cross[0].T


def settled(problem: Problem, beta: Floats, phi: Floats) -> Laplace:
    """Laplace's approximation with phi at its mode."""
    state = look(problem, beta, phi)
    while state.offset(problem.weights) > 1e-12:
        state = look(problem, beta, state.phi + state.step(np.zeros_like(beta))[1])
    free = problem.case_free[0]
    return integrate(problem, state, np.linalg.inv(problem.precision[np.ix_(free, free)]))


def random_problem(made: Design) -> Problem:
    spread = 0.5 * (np.eye(WIDTH * made.levels) + 1)
    spread[0], spread[:, 0] = 0, 0
    precision = np.zeros_like(spread)
    precision[1:, 1:] = np.linalg.inv(spread[1:, 1:])
    free = np.ones((len(made.rows.cases), WIDTH * made.levels), bool)
    free[:, 0] = False
    nothing = np.zeros(made.n_parameters)
    return Problem(made, nothing == 0, free, precision, nothing, np.ones(len(free)))


@pytest.mark.parametrize("levels", ["case", "case and model"])
def test_scores_of_the_marginal_likelihood_are_its_derivatives(levels: str) -> None:
    made = design(rows_of(simulated(2)), levels="case" if levels == "case" else "case and model")
    problem, (beta, phi) = random_problem(made), at(made)
    phi[:, 0, 0] = 0
    found, slopes = settled(problem, beta, phi), slice(made.n_theta, None)

    def loglik(there: Floats) -> Floats:
        return settled(problem, np.concatenate([beta[: made.n_theta], there]), phi).loglik

    numeric = approx_fprime(beta[slopes], loglik, 1e-5)
    assert found.scores[:, slopes] == pytest.approx(numeric, abs=2e-4)


def test_the_marginal_likelihood_is_near_the_integral() -> None:
    """One case with two free phi: Laplace's approximation against numerical integration."""
    made = design(rows_of(simulated(1)))
    problem, (beta, phi) = random_problem(made), at(made)
    keep = np.zeros_like(problem.case_free)
    keep[:, 1:3] = True
    covariance = 0.5 * (np.eye(2) + 1)
    precision = np.zeros((WIDTH, WIDTH))
    precision[1:3, 1:3] = np.linalg.inv(covariance)
    problem = replace(problem, case_free=keep, precision=precision)
    phi = np.zeros_like(phi)

    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    root = np.linalg.cholesky(covariance)

    def likelihood(a: float, b: float) -> float:
        there = np.zeros((1, 1, WIDTH))
        there[0, 0, 1:3] = root @ [a, b]
        return float(np.exp(derivatives(made, beta, there, np.ones(1)).loglik[0] + 40))

    values = np.array([[likelihood(a, b) for b in nodes] for a in nodes])
    exact = np.log(weights @ values @ weights / (2 * np.pi)) - 40
    assert settled(problem, beta, phi).loglik[0] == pytest.approx(exact, abs=0.1)


def test_counting_all_seats_is_another_name_for_the_same_model() -> None:
    turns = simulated(40)
    one, other = (design(rows_of(turns, Convention(prev_of=of))) for of in ("others", "all"))  # type: ignore[arg-type]
    weights = np.ones(40)
    first, second = fe(one, weights), fe(other, weights)
    slopes = [found.beta[one.n_theta :].reshape(3, 3) for found in (first, second)]
    assert second.loglik == pytest.approx(first.loglik, abs=1e-6)
    assert slopes[1][0] == pytest.approx(slopes[0][0] - slopes[0][1], abs=1e-6)
    assert slopes[1][1:] == pytest.approx(slopes[0][1:], abs=1e-6)


def test_a_weak_penalty_is_no_penalty() -> None:
    made, weights = design(rows_of(simulated(40))), np.ones(40)
    slopes = slice(made.n_theta, None)
    assert l2(made, weights, penalty=1e-8).beta[slopes] == pytest.approx(
        fe(made, weights).beta[slopes], abs=1e-3
    )


@pytest.mark.parametrize("estimate", [fe, re])
def test_a_case_that_counts_twice_is_two_cases(estimate: type) -> None:
    turns = simulated(25)
    again = turns.assign(
        debate_id=turns["debate_id"] + 100_000, case_id="again " + turns["case_id"].astype("str")
    )
    plain = turns.assign(case_id=turns["case_id"].astype("str"))
    both = rows_of(pd.concat([plain, again], ignore_index=True))
    once = estimate(design(rows_of(turns)), np.full(25, 2.0))
    twice = estimate(design(both), np.ones(50))
    assert once.beta == pytest.approx(twice.beta, abs=1e-6)
    assert once.loglik == pytest.approx(twice.loglik, abs=1e-6)
