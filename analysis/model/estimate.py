"""What every estimator finds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.design import Design
from analysis.model.profiled import Inverse
from analysis.model.rows import Flags, Floats
from analysis.model.spread import Spread


@dataclass(frozen=True, slots=True)
class Cases:
    """What is known of phi: `mean`, D by L by V; `covariance`, D by L V by L V.

    `spread` is its distribution over cases, where that is estimated.
    """

    mean: Floats
    covariance: Floats
    spread: Spread | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The parameters found for a design.

    `beta` has length P, of which `free` are estimated; `inverse` is the inverse of the information on them;
    `scores`, D by P, are what each case adds to the estimating equations, which their sum solves. `loglik` is
    that of the verdicts, marginal where phi is integrated over, composite for pairs. `effective` counts the
    parameters in effect, phi included. `cases` is null for pairs,
    from which phi cancels.
    """

    design: Design
    beta: Floats
    free: Flags
    inverse: Inverse
    scores: Floats
    loglik: float
    steps: int
    converged: bool
    decrement: float
    weights: Floats
    cases: Cases | None = None
    effective: float | None = None
    pairs: int | None = None

    @property
    def influence(self) -> Floats:
        """D by P: how far each case moves each parameter."""
        moved: Floats = self.scores @ self.inverse.matrix
        return moved


def base_label(design: Design) -> int:
    """The label given most often: others are told against it."""
    return int(np.bincount(design.rows.y, minlength=len(design.rows.labels)).argmax())


def free_theta(design: Design) -> Flags:
    """M by V: which theta are estimated when only differences within a model count.

    All that the model's choices allow but one, that of the base label, or of the first that it gives.
    """
    used = np.zeros((len(design.rows.models), len(design.rows.labels)), bool)
    np.logical_or.at(used, design.model, design.choices)
    base = base_label(design)
    first = np.where(used[:, base], base, used.argmax(axis=1))
    used[np.arange(len(used)), first] = False
    return used


def with_slopes(design: Design, theta: Flags) -> Flags:
    """P flags: these theta, and all slopes."""
    slopes = np.ones(design.n_parameters - design.n_theta, bool)
    return np.concatenate([theta.reshape(-1), slopes])
