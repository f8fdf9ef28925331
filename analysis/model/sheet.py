"""A fit as text, in the manner of statsmodels."""

from __future__ import annotations

from textwrap import fill

import numpy as np
import pandas as pd
from statsmodels.iolib.summary import Summary
from statsmodels.iolib.table import SimpleTable
from statsmodels.iolib.tableformatting import fmt_2cols, fmt_params

from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import Fit
from analysis.model.statistics import statistics

TITLE = "Inertia and conformity: multinomial model of verdicts (Eq. 2)"
WIDTH = 110
HEADERS = ["coef", "std err", "z", "P>|z|", "[0.025", "0.975]", "odds ratio", "[0.025", "0.975]"]
COLUMNS = ["coef", "se", "z", "p", "low", "high", "odds_ratio", "odds_low", "odds_high"]


def written(found: Fit) -> str:
    """The summary of a fit: what was fitted, the slopes, what the estimator assumes, the diagnostics."""
    summary = Summary()
    summary.tables.append(_head(found))
    summary.tables.append(_slopes(found.table()))
    estimator = ESTIMATORS[found.estimator]
    notes = [
        f"Estimator {found.estimator}: {estimator.words}.",
        estimator.assumes,
        f"Convention: {found.convention}.",
        "Slopes are log-odds; standard errors are clustered by case.",
        *found.diagnostics,
    ]
    numbered = [f"[{number}] {note}" for number, note in enumerate(notes, start=1)]
    summary.add_extra_txt(["Notes:", *(fill(note, WIDTH, subsequent_indent="    ") for note in numbered)])
    return str(summary.as_text())


def _head(found: Fit) -> SimpleTable:
    figures = statistics(found)
    left = [
        ("Estimator:", found.estimator),
        ("No. verdicts:", f"{len(found.rows):,}"),
        ("No. debates:", f"{figures.debates:,}"),
        ("No. cases:", f"{figures.cases:,}"),
        ("Parameters:", f"{figures.parameters}"),
        ("Effective:", _number(figures.effective, 1)),
    ]
    right = [
        (f"{figures.kind} log-lik.:", _number(found.estimate.loglik, 1)),
        ("Null log-lik.:", _number(figures.null, 1)),
        ("McFadden R2:", _number(figures.mcfadden, 4)),
        ("AIC:", _number(figures.aic, 1)),
        ("BIC (n = cases):", _number(figures.bic, 1)),
        ("Converged:", f"{found.estimate.converged} ({found.estimate.steps} steps)"),
    ]
    data = [[a[1], b[0], b[1]] for a, b in zip(left, right, strict=True)]
    return SimpleTable(data, stubs=[name for name, _ in left], title=TITLE, txt_fmt=fmt_2cols)


def _slopes(table: pd.DataFrame) -> SimpleTable:
    data = [[_number(value, 3) for value in row] for row in table[COLUMNS].to_numpy(float)]
    narrow = {**fmt_params, "colwidths": [8] * 6 + [10, 8, 8]}
    return SimpleTable(data, headers=HEADERS, stubs=list(table.index), txt_fmt=narrow)


def _number(value: float | None, digits: int) -> str:
    if value is None or not np.isfinite(value):
        return "-"
    return f"{value:,.{digits}f}" if abs(value) < 1e6 else f"{value:.3g}"
