"""How well a fit describes the verdicts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from analysis.model.fit import Fit
from analysis.model.likelihood import scatter
from analysis.model.rows import Rows


@dataclass(frozen=True, slots=True)
class Statistics:
    """Sizes and fit of one fit.

    `null` is the log-likelihood of a model that knows only how often each model gives each label; `mcfadden`
    is 1 - loglik / null. The other null, theta and phi without slopes, takes a fit: see `nested`. `aic` and
    `bic` are from the marginal likelihood with its `parameters` (those of the spread of phi included), and
    null for estimators without one; `bic` takes cases for observations. `kind` says which likelihood it is.
    """

    cases: int
    debates: int
    parameters: int
    effective: float | None
    kind: str
    null: float
    mcfadden: float | None
    aic: float | None
    bic: float | None


def statistics(found: Fit) -> Statistics:
    """The statistics of a fit."""
    estimate, rows = found.estimate, found.rows
    null, cases = null_loglik(rows), len(np.unique(rows.case))
    spread = None if estimate.cases is None else estimate.cases.spread
    structural = int((estimate.free & estimate.inverse.identified).sum())
    parameters = structural + (0 if spread is None else spread.n_parameters)
    marginal, composite = spread is not None, estimate.pairs is not None
    return Statistics(
        cases=cases,
        debates=len(np.unique(rows.debate)),
        parameters=parameters,
        effective=estimate.effective,
        kind="Marginal" if marginal else "Composite" if composite else "Conditional",
        null=null,
        mcfadden=None if composite else 1 - estimate.loglik / null,
        aic=2 * parameters - 2 * estimate.loglik if marginal else None,
        bic=float(np.log(cases)) * parameters - 2 * estimate.loglik if marginal else None,
    )


def null_loglik(rows: Rows) -> float:
    """The log-likelihood where every verdict has the share that its label has among those of its model."""
    counts = scatter((len(rows.models), len(rows.labels)), (rows.model, rows.y), np.ones(len(rows)))
    return float(xlogy(counts, counts).sum() - xlogy(counts.sum(axis=1), counts.sum(axis=1)).sum())
