"""The covariance of phi over cases, and how it is learned from the phi of the cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from analysis.model.rows import Floats, Ints

LEAST, MOST = 1e-4, 25.0
"""The smallest and the greatest variance that any direction of phi is given."""

ADDED = 10.0
"""Cases added to those that were debated, to learn from."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Phi of a case is what all models share, of covariance `shared`, and what each has, of covariance `own`.

    Both are q by q, for the q labels in `labels` out of `width`; the other labels are the base, and those
    never given, and keep a phi of 0. With one level there is no `own`: all is shared.
    """

    shared: Floats
    own: Floats | None
    labels: Ints
    width: int
    levels: int

    @property
    def places(self) -> Ints:
        """Where the L q phi stand among the L V."""
        places: Ints = (np.arange(self.levels)[:, None] * self.width + self.labels).reshape(-1)
        return places

    @property
    def n_parameters(self) -> int:
        """How many numbers make the covariance."""
        q = len(self.labels)
        return q * (q + 1) // 2 * (1 if self.own is None else 2)

    def covariance(self) -> Floats:
        """L q by L q."""
        whole = np.kron(np.ones((self.levels, self.levels)), self.shared)
        own = 0.0 if self.own is None else np.kron(np.eye(self.levels), self.own)
        covariance: Floats = np.asarray(whole + own, np.float64)
        return covariance

    def embedded(self, matrix: Floats) -> Floats:
        """An L q by L q matrix among L V by L V zeros."""
        whole = np.zeros((self.levels * self.width,) * 2)
        whole[np.ix_(self.places, self.places)] = matrix
        return whole

    def learned(self, total: Floats, cases: float) -> Spread:
        """The spread of greatest likelihood where the sum of phi phi' over so many `cases` is `total`.

        `total` is L V by L V. To the cases are added `ADDED` that vary as much as a `wide` spread: enough
        to hold the variance of a label that is hardly given, of which the verdicts say next to nothing.
        """
        q = len(self.labels)
        prior = wide(self.labels, self.width, self.levels).covariance()
        mean = (total[np.ix_(self.places, self.places)] + ADDED * prior) / (cases + ADDED)
        blocks = mean.reshape(self.levels, q, self.levels, q)
        if self.own is None:
            return replace(self, shared=_positive(blocks[0, :, 0]))
        of_mean = blocks.sum(axis=(0, 2)) / self.levels
        own = (np.einsum("aiaj->ij", blocks) - of_mean) / (self.levels - 1)
        shared = (of_mean - own) / self.levels
        return replace(self, shared=_positive(shared), own=_positive(own))

    def vector(self) -> Floats:
        """The logarithm of the covariances as one vector: any such vector makes a spread."""
        return np.concatenate([_spectral(one, np.log).reshape(-1) for one in self._parts])

    def at(self, vector: Floats) -> Spread:
        """The spread that has this vector."""
        q = len(self.labels)
        shared, *own = (_positive(_spectral(one, np.exp)) for one in vector.reshape(len(self._parts), q, q))
        return replace(self, shared=shared, own=own[0] if own else None)

    @property
    def at_border(self) -> bool:
        """Whether some variance is as small or as great as any may be."""
        values = np.concatenate([np.linalg.eigvalsh(part) for part in self._parts])
        return bool((values < 1.01 * LEAST).any() or (values > 0.99 * MOST).any())

    @property
    def _parts(self) -> list[Floats]:
        return [self.shared] if self.own is None else [self.shared, self.own]


def wide(labels: Ints, width: int, levels: int) -> Spread:
    """Where learning begins: standard deviations of 1 for every label, the base included."""
    start = np.eye(len(labels)) + 1
    return Spread(start, start if levels > 1 else None, labels, width, levels)


def _positive(matrix: Floats) -> Floats:
    """The nearest symmetric matrix with variances from `LEAST` to `MOST`."""
    return _spectral((matrix + matrix.T) / 2, lambda values: np.clip(values, LEAST, MOST))


def _spectral(matrix: Floats, function: Callable[[Floats], Floats]) -> Floats:
    """The function of a symmetric matrix that acts on its eigenvalues."""
    values, vectors = np.linalg.eigh(matrix)
    made: Floats = (vectors * function(values)) @ vectors.T
    return made
