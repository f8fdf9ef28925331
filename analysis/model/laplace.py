"""Laplace's approximation to the likelihood with phi integrated over, and its exact derivatives.

The integral over the phi of a case is near l - phi' Q phi / 2 + (log |Q| - log |A|) / 2 at the mode of phi,
with A the information there and Q the precision. A depends on the parameters through the probabilities:
with c = diag(A^-1) - 2 A^-1 p for a row, the derivative of log |A| in its linear predictors is W c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.likelihood import scatter, sums
from analysis.model.newton import Problem, State
from analysis.model.rows import Floats


@dataclass(frozen=True, slots=True)
class Laplace:
    """`loglik`, D, of each case with phi integrated over; `scores`, D by P, its derivatives, phi following.

    `mean`, D by L V, is the mean of phi given the verdicts, which is beside its mode.
    """

    loglik: Floats
    scores: Floats
    mean: Floats


def integrate(problem: Problem, state: State, covariance: Floats) -> Laplace:
    """The approximation at a state; `covariance` is that of the phi that are free."""
    in_parameters, in_phi = _derivatives_of_determinant(problem, state)
    in_phi = np.where(problem.case_free, in_phi, 0.0)
    flat = state.phi.reshape(len(state.phi), -1)
    free = problem.case_free
    a = np.where(
        free[:, :, None] & free[:, None, :],
        state.found.case_information + problem.precision,
        np.eye(free.shape[1]),
    )
    prior = np.einsum("dl,lk,dk->d", flat, problem.precision, flat)
    determinants = np.linalg.slogdet(a)[1] + np.linalg.slogdet(covariance)[1]
    followed = in_parameters - np.einsum("dlp,dl->dp", state.profile.lead, in_phi)
    mode = flat + np.einsum("dlk,dk->dl", state.profile.inverse, state.case_score)
    return Laplace(
        loglik=state.found.loglik - prior / 2 - determinants / 2,
        scores=state.scores - followed / 2,
        mean=mode - np.einsum("dlk,dk->dl", state.profile.inverse, in_phi) / 2,
    )


def _derivatives_of_determinant(problem: Problem, state: State) -> tuple[Floats, Floats]:
    """D by P and D by L V: those of log |A|, phi and parameters each held fixed."""
    design = problem.design
    p = state.found.p
    cases, labels = len(problem.weights), len(p)
    free = problem.case_free
    inverse = np.where(free[:, :, None] & free[:, None, :], state.profile.inverse, 0.0)
    blocks = np.einsum("dlvlu->dlvu", inverse.reshape(cases, design.levels, labels, design.levels, labels))
    of_cell = np.repeat(blocks[design.case, design.level].transpose(1, 2, 0), design.size, axis=2)
    c = np.einsum("vvu->vu", of_cell) - 2 * np.einsum("vwu,wu->vu", of_cell, p)
    h = design.given.sum(axis=0) * p * (c - (p * c).sum(axis=0))
    in_phi = sums(design, h)
    in_slopes = sums(design, np.einsum("tvu,vu->tu", design.x, h))
    shape = (cases, design.levels, labels)
    places = (design.case[:, None], design.level[:, None], np.arange(labels))
    return (
        scatter(
            (cases, design.n_parameters),
            (design.case[:, None], design.columns()),
            np.concatenate([in_phi, in_slopes], axis=1),
        ),
        scatter(shape, places, in_phi).reshape(cases, -1),
    )
