"""`fe` against pyfixest, by another way: the Poisson regression that has the same maximum (Baker 1994)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.rows import TERMS, Rows
from tests.analysis.model.debates import simulated

pytestmark = pytest.mark.long


def stacked(rows: Rows) -> pd.DataFrame:
    """One row for each verdict and label, with the slopes' columns."""
    v, n = len(rows.labels), len(rows)
    columns = {
        f"{term}_{model}": (rows.x[t] * (rows.model == m)).T.ravel()
        for t, term in enumerate(TERMS)
        for m, model in enumerate(rows.models)
    }
    label = np.tile(np.arange(v), n)
    keys = {
        "obs": np.repeat(np.arange(n), v),
        "case": np.repeat(rows.case, v),
        "case_label": np.repeat(rows.case, v) * v + label,
        "model_label": np.repeat(rows.model, v) * v + label,
    }
    return pd.DataFrame({"given": rows.given().T.ravel().astype(int), **keys, **columns})


@pytest.mark.filterwarnings("ignore")
def test_slopes_and_clustered_errors_are_those_of_pyfixest() -> None:
    import pyfixest  # takes seconds, which only this test is to pay

    rows = rows_of(simulated(60))
    data = stacked(rows)
    slopes = [f"{term}_{model}" for term in TERMS for model in rows.models]
    theirs = pyfixest.fepois(
        f"given ~ {' + '.join(slopes)} | obs + case_label + model_label",
        data,
        vcov={"CRV1": "case"},
        ssc=pyfixest.ssc(k_adj=False, G_adj=True),
        iwls_tol=1e-10,
        fixef_tol=1e-10,
    )
    ours = fit(rows, "fe").table()
    assert list(ours["coef"]) == pytest.approx(list(theirs.coef()[slopes]), abs=1e-4)
    assert list(ours["se"]) == pytest.approx(list(theirs.se()[slopes]), abs=1e-4)
