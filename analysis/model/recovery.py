"""Does an estimator find the parameters that debates were drawn from? By simulation, over fixed seeds."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.plan import Plan
from analysis.model.rows import TERMS
from analysis.model.simulate import turns_of
from analysis.model.truth import Truth


def recover(truth: Truth, plan: Plan, seed: int, estimators: Sequence[str]) -> pd.DataFrame:
    """One draw of the debates of `plan`, fitted by each estimator.

    One row for each estimator and slope: estimator, parameter, seed, truth, coef, se, low, high.
    """
    rows = rows_of(turns_of(plan, truth.draw(plan, seed)))
    true = {
        f"{term}[{model}]": truth.slopes[number, place]
        for number, term in enumerate(TERMS)
        for place, model in enumerate(truth.models)
    }
    found = [
        fit(rows, name).table()[["coef", "se", "low", "high"]].assign(estimator=name) for name in estimators
    ]
    whole = pd.concat(found).reset_index()
    return whole.assign(seed=seed, truth=whole["parameter"].map(true)).dropna(subset=["coef"])


def recovered(draws: pd.DataFrame, by: Sequence[str] = ("estimator",)) -> pd.DataFrame:
    """What draws of `recover` say of each estimator (and each parameter), in the order in which they come.

    Columns: draws; bias, the mean error; sd of the errors; mean_z, the mean size of an error in standard
    errors, 0.80 if these are right; coverage of the 95% intervals; mean_bias and worst_bias, the mean and the
    greatest size of the mean error of one parameter.
    """
    error = draws["coef"] - draws["truth"]
    whole = draws.assign(
        error=error,
        size=(error / draws["se"]).abs(),
        covered=draws["truth"].between(draws["low"], draws["high"]),
    )
    groups = whole.groupby(list(by), sort=False)
    each = whole.groupby([*by, "parameter"], sort=False)["error"].mean().abs()
    return pd.DataFrame(
        {
            "draws": groups["seed"].nunique(),
            "bias": groups["error"].mean(),
            "sd": groups["error"].std(),
            "mean_z": groups["size"].mean(),
            "coverage": groups["covered"].mean(),
            "mean_bias": each.groupby(level=list(by), sort=False).mean(),
            "worst_bias": each.groupby(level=list(by), sort=False).max(),
        }
    )
