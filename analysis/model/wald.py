"""Wald tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.model.rows import Floats


@dataclass(frozen=True, slots=True)
class Test:
    """A statistic that is chi-square with `df` degrees of freedom if the hypothesis holds.

    With `clusters` its covariance was estimated from so many, and p is that of Hotelling's T-square: with few
    of them chi-square rejects far too often. p is null where there are no more of them than `df`.
    """

    hypothesis: str
    statistic: float
    df: int
    clusters: int | None = None

    @property
    def p(self) -> float:
        """The probability of a greater statistic if the hypothesis holds."""
        if not self.df or (self.clusters is not None and self.clusters <= self.df):
            return float("nan")
        if self.clusters is None:
            return float(stats.chi2.sf(self.statistic, self.df))
        rest = self.clusters - self.df
        return float(stats.f.sf(self.statistic * rest / (self.df * (self.clusters - 1)), self.df, rest))

    def __str__(self) -> str:
        if not self.df:
            return f"{self.hypothesis}: nothing to test"
        return f"{self.hypothesis}: chi2({self.df}) = {self.statistic:.2f}, p = {self.p:.3g}"


def wald(hypothesis: str, values: Floats, covariance: Floats, clusters: int) -> Test:
    """Whether all `values` are 0, from their covariance, which was estimated from so many clusters."""
    if not len(values):
        return Test(hypothesis, float("nan"), 0)
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return Test(
        hypothesis, float(values @ np.linalg.pinv(covariance, hermitian=True) @ values), rank, clusters
    )
