"""How sure an estimate is: errors clustered by case, errors that trust the model, a bootstrap of one step.

Debates of one case are alike, so a case is what is drawn. None of these needs a second fit.
"""

from __future__ import annotations

import numpy as np

from analysis.model.estimate import Estimate
from analysis.model.rows import Floats

DRAWS = 2_000
SEED = 20_251_010


def clustered(estimate: Estimate) -> Floats:
    """P by P: the sandwich covariance, clustered by case, from scores with phi profiled out.

    With the usual factor D / (D - 1); phi is nested in the clusters, so it costs no further degrees.
    """
    influence = estimate.influence
    cases = len(np.unique(estimate.design.case))
    covariance: Floats = influence.T @ influence * (cases / max(cases - 1, 1))
    return covariance


def trusting(estimate: Estimate) -> Floats | None:
    """P by P: the inverse of the information, right if the model is. None for pairs, where it never is."""
    return None if estimate.pairs is not None else estimate.inverse.matrix


def one_step(estimate: Estimate, draws: int = DRAWS, seed: int = SEED) -> Floats:
    """Draws by P: estimates from cases drawn with replacement, each by one Newton step from the estimate."""
    moved: Floats = estimate.beta + (drawn(len(estimate.weights), draws, seed) - 1) @ estimate.influence
    return moved


def drawn(cases: int, draws: int, seed: int = SEED) -> Floats:
    """Draws by cases: how often each case was drawn."""
    places = np.random.default_rng([seed, cases]).integers(0, cases, size=(draws, cases))
    places += cases * np.arange(draws)[:, None]
    counts = np.bincount(places.ravel(), minlength=draws * cases).reshape(draws, cases)
    return counts.astype(np.float64)
