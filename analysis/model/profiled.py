"""Profiling phi out: what is left to know of the parameters once every case may choose its own phi.

With A the information on phi of a case (and the precision of its prior), B that between phi and the
parameters, the information on the parameters is S = H - B' A^-1 B, added over cases (Schur's complement): so
a Newton step with thousands of phi costs one small inverse for each case.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.likelihood import Derivatives
from analysis.model.rows import Flags, Floats

NEGLIGIBLE = 1e-10
"""Eigenvalues of a correlation matrix of information below it count as 0."""


@dataclass(frozen=True, slots=True)
class Profile:
    """`inverse` is A^-1, D by L V by L V; `lead` is A^-1 B, D by L V by P; `information` is S, P by P."""

    inverse: Floats
    lead: Floats
    information: Floats


def profile(found: Derivatives, free: Flags, precision: Floats, ridge: Floats, weights: Floats) -> Profile:
    """Phi profiled out.

    `free`, D by L V, says which phi are estimated, the others stay; `precision`, L V by L V, is that of
    their normal prior, `ridge` (P) that of the parameters; `weights` (D) say how often a case counts.
    """
    both = free[:, :, None] & free[:, None, :]
    a = np.where(both, found.case_information + precision, np.eye(free.shape[1]))
    b = np.where(free[:, :, None], found.cross, 0.0)
    inverse = np.linalg.inv(a)
    lead = inverse @ b
    taken = np.tensordot(b * weights[:, None, None], lead, axes=([0, 1], [0, 1]))
    return Profile(inverse, lead, found.information + np.diag(ridge) - taken)


@dataclass(frozen=True, slots=True)
class Inverse:
    """The inverse of an information matrix, as far as it has one.

    `identified` flags the parameters that are; `condition` is the condition number of the correlation
    matrix of the information on these, `smallest` its smallest eigenvalue. Rows and columns of what is not
    estimated, or not identified, are 0.
    """

    matrix: Floats
    identified: Flags
    condition: float
    smallest: float


def invert(information: Floats, free: Flags) -> Inverse:
    """The inverse for the `free` parameters; directions without information are left out."""
    scale = np.sqrt(np.maximum(np.diag(information), 0))
    some = free & (scale > 0)
    unit = np.where(some, 1 / np.where(some, scale, 1), 0.0)
    at = np.flatnonzero(some)
    correlation = (information * unit[:, None] * unit)[np.ix_(at, at)]
    values, vectors = np.linalg.eigh(correlation) if len(at) else (np.empty(0), np.empty((0, 0)))
    good = values > NEGLIGIBLE
    part = (vectors[:, good] / values[good]) @ vectors[:, good].T
    matrix = np.zeros_like(information)
    matrix[np.ix_(at, at)] = part * unit[at, None] * unit[at]
    identified = np.zeros(len(free), bool)
    identified[at] = (vectors[:, ~good] ** 2).sum(axis=1) < np.sqrt(NEGLIGIBLE)
    kept = values[good]
    condition = float(kept.max() / kept.min()) if len(kept) else np.inf
    return Inverse(matrix, identified, condition, float(values.min(initial=np.inf)))
