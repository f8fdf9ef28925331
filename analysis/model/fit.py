"""Fitting Eq. 2 to the debates of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.model.convention import DEFAULT, Convention
from analysis.model.design import Design, Factor, design
from analysis.model.diagnostics import diagnose
from analysis.model.errors import clustered, trusting
from analysis.model.estimate import Estimate
from analysis.model.estimators import ESTIMATORS
from analysis.model.features import rows_of
from analysis.model.rows import TERMS, Flags, Floats, Rows

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Fit:
    """The parameters found, in log-odds, with their errors.

    `covariance`, P by P, is clustered by case; `trusting` is the one that trusts the model, null for pairs.
    `diagnostics` says in words what the reader must know of this fit.
    """

    estimator: str
    rows: Rows
    design: Design
    estimate: Estimate
    covariance: Floats
    trusting: Floats | None
    diagnostics: tuple[str, ...]

    @property
    def convention(self) -> Convention:
        """How the histories were counted."""
        return self.rows.convention

    @property
    def names(self) -> list[str]:
        """The P names of the parameters: "alpha[gpt]"."""
        return self.design.names()

    @property
    def slopes(self) -> Flags:
        """P flags: the slopes that are identified."""
        return self.estimate.inverse.identified & (np.arange(len(self.names)) >= self.design.n_theta)

    def table(self, thetas: bool = False) -> pd.DataFrame:
        """The slopes (and `thetas`), one a row by name, in log-odds and as odds ratios.

        Columns: coef; se, clustered by case; z; p; low, high, the 95% interval; odds_ratio, odds_low,
        odds_high; trusting_se. All are null for a slope that the verdicts do not identify.
        """
        known = self.estimate.inverse.identified
        coef = np.where(known, self.estimate.beta, np.nan)
        se = np.where(known, np.sqrt(np.diag(self.covariance)), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            z = coef / se
        reach = stats.norm.ppf((1 + LEVEL) / 2) * se
        model = np.nan if self.trusting is None else np.sqrt(np.diag(self.trusting))
        with np.errstate(over="ignore"):
            odds = {
                "odds_ratio": np.exp(coef),
                "odds_low": np.exp(coef - reach),
                "odds_high": np.exp(coef + reach),
            }
        columns = {"coef": coef, "se": se, "z": z, "p": 2 * stats.norm.sf(np.abs(z)), "low": coef - reach,
                   "high": coef + reach, **odds, "trusting_se": np.where(known, model, np.nan)}  # fmt: skip
        whole = pd.DataFrame(columns, index=pd.Index(self.names, name="parameter"))
        return whole[known] if thetas else whole.iloc[self.design.n_theta :]

    def summary(self) -> str:
        """The fit as text, in the manner of statsmodels."""
        from analysis.model.sheet import written  # statsmodels takes seconds to import

        return written(self)


def fit(
    turns: pd.DataFrame | Rows,
    estimator: str = "re",
    convention: Convention = DEFAULT,
    slope_by: tuple[Factor, ...] = ("model",),
    terms: Sequence[str] = TERMS,
) -> Fit:
    """Fits Eq. 2 to `turns` (see `features.rows_of`), or to rows made of them, whose convention then holds.

    `estimator` is a key of `ESTIMATORS`; slopes for `terms` are told apart by `slope_by`. What is wrong with
    a fit is told in its `diagnostics`. Raises `ValueError` for an estimator or term that there is not.
    """
    if estimator not in ESTIMATORS:
        raise ValueError(f"there is no estimator {estimator!r}; take one of {', '.join(ESTIMATORS)}")
    rows = turns if isinstance(turns, Rows) else rows_of(turns, convention)
    made = design(rows, terms, slope_by)
    return fitted(estimator, made, ESTIMATORS[estimator].estimate(made, np.ones(len(rows.cases))))


def fitted(estimator: str, made: Design, estimate: Estimate) -> Fit:
    """An estimate with its errors and diagnostics."""
    covariance = clustered(estimate)
    return Fit(
        estimator=estimator,
        rows=made.rows,
        design=made,
        estimate=estimate,
        covariance=covariance,
        trusting=trusting(estimate),
        diagnostics=tuple(diagnose(estimator, estimate, covariance)),
    )
