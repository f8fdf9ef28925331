"""Is inertia needed, is conformity, are slopes at all? Each fit against those that it nests."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from analysis.model.design import Factor, design
from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import Fit
from analysis.model.rows import TERMS, Flags
from analysis.model.statistics import null_loglik
from analysis.model.wald import Test, wald

NESTED: dict[str, tuple[str, ...]] = {
    "no inertia": ("gamma_prev", "gamma_within"),
    "no conformity": ("alpha",),
    "theta and phi only": (),
}
"""The nested models by the terms they keep."""

COLUMNS = ["df", "wald", "wald_p", "loglik", "lr", "lr_p", "mcfadden"]


def nested(found: Fit) -> pd.DataFrame:
    """Tests of a fit against each of `NESTED`, the hypothesis that its further slopes are all 0.

    One row for each, by name. Columns: df; wald, wald_p, clustered by case; loglik of the nested fit;
    lr, lr_p, of the likelihood ratio (the first assumes nothing of the model's errors, the second that the
    model is right); mcfadden, 1 minus the ratio of log-likelihoods. A last row is the null of model marginals
    alone, of which only loglik and mcfadden are told. For pairs, likelihood ratios are null: theirs is
    composite. With the priors of `l2` and `paper` they are near enough only while those are weak.
    """
    told = {name: _against(found, name, terms) for name, terms in NESTED.items()}
    null = null_loglik(found.rows)
    composite = found.estimate.pairs is not None
    told["model marginals only"] = {
        "loglik": null,
        "mcfadden": np.nan if composite else 1 - found.estimate.loglik / null,
    }
    return pd.DataFrame.from_dict(told, orient="index").reindex(columns=COLUMNS)


def by_wald(found: Fit) -> pd.DataFrame:
    """The tests of `nested` that need no further fit: df, wald, wald_p, a row for each of `NESTED`."""
    tests = {name: _wald(found, name, terms) for name, terms in NESTED.items()}
    rows = {
        name: {"df": float(test.df), "wald": test.statistic, "wald_p": test.p} for name, test in tests.items()
    }
    return pd.DataFrame.from_dict(rows, orient="index")


def _wald(found: Fit, name: str, terms: tuple[str, ...]) -> Test:
    left_out = np.flatnonzero(_slopes_of(found, [term for term in TERMS if term not in terms]))
    return wald(
        name,
        found.estimate.beta[left_out],
        found.covariance[np.ix_(left_out, left_out)],
        len(np.unique(found.rows.case)),
    )


def _against(found: Fit, name: str, terms: tuple[str, ...]) -> dict[str, float]:
    """A row of `nested`, with what takes a fit of the smaller model."""
    test = _wald(found, name, terms)
    row = {"df": float(test.df), "wald": test.statistic, "wald_p": test.p}
    if found.estimate.pairs is not None:
        return row
    kept = [TERMS[term] for term in found.design.terms if TERMS[term] in terms]
    by: tuple[Factor, ...] = ("model", "protocol") if "," in found.design.groups[0] else ("model",)
    smaller = design(found.rows, kept, by)
    loglik = ESTIMATORS[found.estimator].estimate(smaller, found.estimate.weights).loglik
    ratio = 2 * (found.estimate.loglik - loglik)
    return row | {
        "loglik": loglik,
        "lr": ratio,
        "lr_p": float(stats.chi2.sf(ratio, test.df)) if test.df else np.nan,
        "mcfadden": 1 - found.estimate.loglik / loglik,
    }


def _slopes_of(found: Fit, terms: list[str]) -> Flags:
    """P flags: the identified slopes of these terms."""
    of_terms = np.array([name.split("[")[0] in terms for name in found.names])
    flags: Flags = of_terms & found.slopes
    return flags
