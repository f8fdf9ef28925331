"""The full bootstrap: cases are drawn with replacement and the model is fitted again each time."""

from __future__ import annotations

import numpy as np

from analysis.model.errors import SEED, drawn
from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import Fit
from analysis.model.rows import Floats


def refitted(found: Fit, draws: int, seed: int = SEED) -> Floats:
    """Draws by P: what each draw of cases gives, fitted from where `found` ended.

    A case drawn twice counts twice; this is the same as one with as many copies of it, each with its phi.
    """
    estimate = ESTIMATORS[found.estimator].estimate
    weights = drawn(len(found.rows.cases), draws, seed)
    return np.stack([estimate(found.design, weight, found.estimate).beta for weight in weights])
