"""Newton's method for the parameters and phi together, with normal priors of given precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.design import Design
from analysis.model.likelihood import Derivatives, derivatives
from analysis.model.profiled import Inverse, Profile, invert, profile
from analysis.model.rows import Flags, Floats

STEPS = 50
"""How many steps are made at most."""

ENOUGH = 1e-9
"""A decrement (twice the gain in log-likelihood that a step promises) that leaves nothing to gain."""

HALVINGS = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """What is maximised: the log-likelihood of `design` with priors.

    `free` (P) and `case_free` (D by L V) say what is estimated; `precision` (L V by L V) and `ridge` (P)
    are those of normal priors around 0 on phi and the parameters; a case counts `weights` (D) times.
    """

    design: Design
    free: Flags
    case_free: Flags
    precision: Floats
    ridge: Floats
    weights: Floats


@dataclass(frozen=True, slots=True)
class State:
    """The parameters (P) and phi (D by L by V) of one moment, with what was found there.

    `scores`, D by P, are those of the cases, phi profiled out; `gradient`, P, their weighted sum with that of
    the prior; `case_score`, D by L V, the gradient in phi.
    """

    beta: Floats
    phi: Floats
    found: Derivatives
    profile: Profile
    inverse: Inverse
    objective: float
    scores: Floats
    gradient: Floats
    case_score: Floats

    def step(self, gradient: Floats) -> tuple[Floats, Floats]:
        """How far to go with the parameters for `gradient`, and with phi after them."""
        beta = self.inverse.matrix @ gradient
        phi = np.einsum("dlk,dk->dl", self.profile.inverse, self.case_score) - self.profile.lead @ beta
        return beta, phi.reshape(self.phi.shape)

    def offset(self, weights: Floats) -> float:
        """Twice what a step of phi alone promises to gain."""
        gains = np.einsum("dl,dlk,dk->d", self.case_score, self.profile.inverse, self.case_score)
        return float(weights @ gains)

    def decrement(self, weights: Floats) -> float:
        """Twice what a step promises to gain."""
        return self.offset(weights) + float(self.gradient @ self.inverse.matrix @ self.gradient)


def look(problem: Problem, beta: Floats, phi: Floats) -> State:
    """What a step from `beta` and `phi` needs."""
    found = derivatives(problem.design, beta, phi, problem.weights)
    out = profile(found, problem.case_free, problem.precision, problem.ridge, problem.weights)
    flat = phi.reshape(len(phi), -1)
    drawn = flat @ problem.precision
    case_score = np.where(problem.case_free, found.case_score - drawn, 0.0)
    scores = found.score - np.einsum("dlp,dl->dp", out.lead, case_score)
    objective = problem.weights @ (found.loglik - (drawn * flat).sum(axis=1) / 2)
    return State(
        beta=beta,
        phi=phi,
        found=found,
        profile=out,
        inverse=invert(out.information, problem.free),
        objective=float(objective - problem.ridge @ beta**2 / 2),
        scores=scores,
        gradient=problem.weights @ scores - problem.ridge * beta,
        case_score=case_score,
    )


def effective(problem: Problem, state: State) -> float:
    """How many parameters a state has in effect: those that a prior holds count in part.

    The trace of the information without the priors by the inverse of that with them.
    """
    held = np.einsum("dlk,kl->", of_free(state.profile.inverse, problem), problem.precision)
    lead = state.profile.lead
    held += np.einsum("dlp,pq,dkq,kl->", lead, state.inverse.matrix, lead, problem.precision, optimize=True)
    held += np.diag(state.inverse.matrix) @ problem.ridge
    return float(state.inverse.identified.sum() + problem.case_free.sum() - held)


def of_free(matrices: Floats, problem: Problem) -> Floats:
    """The matrices, D by L V by L V, with 0 for every phi that is not estimated."""
    both = problem.case_free[:, :, None] & problem.case_free[:, None, :]
    return np.where(both, matrices, 0.0)


@dataclass(frozen=True, slots=True)
class Climb:
    """Where Newton's method ended, after how many steps, and whether nothing is left to gain there."""

    state: State
    steps: int
    converged: bool


def climb(problem: Problem, beta: Floats, phi: Floats, enough: float = ENOUGH) -> Climb:
    """The maximum, from `beta` and `phi`; a step that would lose is halved until it gains."""
    state = look(problem, beta, phi)
    for steps in range(STEPS):
        if state.decrement(problem.weights) < enough:
            return Climb(state, steps, True)
        of_beta, of_phi = state.step(state.gradient)
        for _ in range(HALVINGS):
            new = look(problem, state.beta + of_beta, state.phi + of_phi)
            if new.objective >= state.objective:
                break
            of_beta, of_phi = of_beta / 2, of_phi / 2
        else:
            return Climb(state, steps, False)
        state = new
    return Climb(state, STEPS, False)
