"""The log-likelihood of Eq. 2 with its derivatives, summed over cells, then over cases.

For a row with probabilities p, the information on its V linear predictors is W = diag(p) - p p'. Within a
cell all rows have the same theta and phi, so what is needed of it are the sums of p, of W, of W x for each
term's x, and of x' W x: some seventy numbers for each pattern, however many parameters there are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.design import Design
from analysis.model.rows import Floats, Ints

NEVER = -1e30
"""The logit of what is no choice."""


@dataclass(frozen=True, slots=True)
class Derivatives:
    """At some parameters: what each case adds to the log-likelihood, and its derivatives.

    `loglik` D; `score` D by P; `case_score` D by L V, with respect to phi; `case_information` D by L V by
    L V; `cross`, between phi and the parameters, D by L V by P; `information` P by P, the weighted sum over
    cases; `p`, V by U, the probabilities. L is the number of levels.
    """

    p: Floats
    loglik: Floats
    score: Floats
    case_score: Floats
    case_information: Floats
    cross: Floats
    information: Floats


def predictors(design: Design, beta: Floats, phi: Floats) -> Floats:
    """V by U: the logits of every pattern. `beta` has length P, `phi` is D by L by V."""
    theta = beta[: design.n_theta].reshape(len(design.rows.models), -1)
    shared = np.where(design.choices, theta[design.model] + phi[design.case, design.level], NEVER)
    eta = np.repeat(shared.T, design.size, axis=1)
    slopes = beta[design.n_theta :].reshape(len(design.terms), len(design.groups))[:, design.group]
    for x, slope in zip(design.x, slopes, strict=True):
        eta += np.repeat(slope, design.size) * x
    return eta


def derivatives(design: Design, beta: Floats, phi: Floats, weights: Floats) -> Derivatives:
    """The derivatives at `beta` (P) and `phi` (D by L by V); a case counts `weights` (D) times."""
    logs = predictors(design, beta, phi)
    logs -= logs.max(axis=0)
    p = np.exp(logs)
    total = p.sum(axis=0)
    p /= total
    logs -= np.log(total)
    often, x = design.given.sum(axis=0), design.x
    expected = p * often
    mean = np.einsum("tvu,vu->tu", x, p)
    wx = (x - mean[:, None]) * expected
    of_labels = sums(design, expected)
    w = -sums(design, expected[:, None] * p)
    w[:, np.arange(len(p)), np.arange(len(p))] += of_labels
    cross, squares = sums(design, wx), sums(design, np.einsum("avu,bvu->abu", x, wx))
    residual = design.totals - np.concatenate([of_labels, sums(design, mean * often)], axis=1)
    block = np.concatenate(
        [np.concatenate([w, cross], axis=1), np.concatenate([cross.swapaxes(1, 2), squares], axis=1)], axis=2
    )
    cases, levels, columns, count = len(weights), design.levels, design.columns(), design.n_parameters
    case, level, label = design.case, design.level, np.arange(len(p))
    places = (case[:, None, None], level[:, None, None], label[:, None])
    shape = (cases, levels, len(p))
    return Derivatives(
        p=p,
        loglik=scatter((cases,), (case,), sums(design, (logs * design.given).sum(axis=0))),
        score=scatter((cases, count), (case[:, None], columns), residual),
        case_score=scatter(shape, (case[:, None], level[:, None], label), residual[:, : len(p)]).reshape(
            cases, -1
        ),
        case_information=scatter((*shape, *shape[1:]), (*places, level[:, None, None], label), w).reshape(
            cases, levels * len(p), -1
        ),
        cross=scatter((*shape, count), (*places, columns[:, None, :]), block[:, : len(p)]).reshape(
            cases, -1, count
        ),
        information=scatter(
            (count, count), (columns[:, :, None], columns[:, None, :]), block * weights[case, None, None]
        ),
    )


def sums(design: Design, values: Floats) -> Floats:
    """The sums over the patterns of each cell: the last axis of `values` is U long, the first of these C."""
    added: Floats = np.moveaxis(np.add.reduceat(values, design.start, axis=-1), -1, 0)
    return added.copy()


def scatter(shape: tuple[int, ...], places: tuple[Ints, ...], values: Floats) -> Floats:
    """An array of `shape` in which each of `values` is added at its place; `places` broadcast to them."""
    at = np.ravel_multi_index(tuple(np.broadcast_arrays(*places)), shape)
    added = np.bincount(at.ravel(), values.ravel(), int(np.prod(shape))).reshape(shape)
    return added.astype(np.float64, copy=False)
