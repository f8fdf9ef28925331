"""Does a model lean to verdicts of its own on a case? Then most estimators see inertia that is none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.model.convention import DEFAULT, Convention
from analysis.model.design import design
from analysis.model.features import rows_of
from analysis.model.fit import Fit, fit, fitted
from analysis.model.mixed import re
from analysis.model.rows import Rows
from analysis.model.wald import Test, wald


@dataclass(frozen=True, slots=True)
class Contrast:
    """The slopes from pairs of all models and of one model, and the test that they are the same."""

    pairwise: Fit
    same_model: Fit
    test: Test


@dataclass(frozen=True, slots=True)
class OwnLeanings:
    """The fit in which each model has a leaning of its own on every case, and the test that it has none.

    The hypothesis is on the border of what is possible, so the p of the test is too large.
    """

    fit: Fit
    test: Test


def same_model_contrast(turns: pd.DataFrame | Rows, convention: Convention = DEFAULT) -> Contrast:
    """Pairs of all models against pairs of one, by their joint influence functions (after Hausman 1978)."""
    rows = turns if isinstance(turns, Rows) else rows_of(turns, convention)
    every, same = fit(rows, "pairwise"), fit(rows, "pairwise_same_model")
    return Contrast(every, same, contrast(every, same))


def contrast(every: Fit, same: Fit) -> Test:
    """The test of `same_model_contrast` for fits that there are already."""
    at = np.flatnonzero(every.slopes & same.slopes)
    influence = (same.estimate.influence - every.estimate.influence)[:, at]
    cases = len(np.unique(every.rows.case))
    covariance = influence.T @ influence * (cases / max(cases - 1, 1))
    difference = (same.estimate.beta - every.estimate.beta)[at]
    return wald("no model leans on its own on a case", difference, covariance, cases)


def own_leanings(found: Fit) -> OwnLeanings:
    """A fit by `re` with a normal leaning of each model on every case, against `found`, the `re` without.

    Raises `ValueError` for a fit by another estimator.
    """
    if found.estimator != "re":
        raise ValueError(f"leanings of models are tested against a fit by 're', not by {found.estimator!r}")
    made = design(found.rows, levels="case and model")
    richer = fitted("re", made, re(made, found.estimate.weights))
    spreads = [each.estimate.cases.spread for each in (richer, found) if each.estimate.cases is not None]
    more, less = (spread.n_parameters for spread in spreads if spread is not None)
    ratio = max(2 * (richer.estimate.loglik - found.estimate.loglik), 0.0)
    return OwnLeanings(richer, Test("no model leans on its own on a case", ratio, more - less))
