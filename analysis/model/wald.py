"""Wald tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from analysis.model.rows import Floats


@dataclass(frozen=True, slots=True)
class Test:
    """A statistic that is chi-square with `df` degrees of freedom if the hypothesis holds."""

    hypothesis: str
    statistic: float
    df: int

    @property
    def p(self) -> float:
        """The probability of a greater statistic if the hypothesis holds."""
        return float(stats.chi2.sf(self.statistic, self.df)) if self.df else float("nan")

    def __str__(self) -> str:
        if not self.df:
            return f"{self.hypothesis}: nothing to test"
        return f"{self.hypothesis}: chi2({self.df}) = {self.statistic:.2f}, p = {self.p:.3g}"


def wald(hypothesis: str, values: Floats, covariance: Floats) -> Test:
    """Whether all `values` are 0, from their covariance."""
    if not len(values):
        return Test(hypothesis, float("nan"), 0)
    rank = int(np.linalg.matrix_rank(covariance, hermitian=True))
    return Test(hypothesis, float(values @ np.linalg.pinv(covariance, hermitian=True) @ values), rank)
