"""Agents like those of a run that was played: what a fit to it found."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa

from analysis.courses import ALONE
from analysis.model.features import COLUMNS
from analysis.model.fit import Fit, fit
from analysis.model.population import Population
from analysis.model.rows import TERMS, Floats
from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey

READ = (*COLUMNS, "planted")
"""What is read of `turns`."""

UNTOLD = -4.0
"""Theta, beside that of the usual verdict, of one that a model never gave."""


class NothingToLearn(ValueError):
    """A run from which agents cannot be learned; the message is meant for who named it."""


def pilot(run: str) -> Population:
    """Agents with the slopes, theta and spread of phi that the `re` fit to the debates of `run` has.

    Without debates with a planted verdict, and answers that are asked for several times alone. A slope that
    the run does not tell is 0. Raises `RunNotFound`, `PartError`, or `NothingToLearn` for a run
    in which no verdict can be read, or those of one case only.
    """
    files, _ = opened(run)
    parts = [load(files, part, READ) for part in survey(run, "turns")]
    turns = pa.concat_tables(parts).to_pandas() if parts else pd.DataFrame(columns=list(READ))
    designed = turns["protocol"].isin(ALONE) & (turns["protocol"] != "solo") | turns["planted"].notna()
    turns = turns[(turns["stage"] == "debate") & ~designed]
    if not turns["label"].notna().any():
        raise NothingToLearn(
            f"{run}: found no verdict in a finished debate; expected a run with some dozens of debates"
        )
    if turns.loc[turns["label"].notna(), "case_id"].nunique() == 1:
        raise NothingToLearn(
            f"{run}: found verdicts on one case only; expected several, of which slopes are told"
        )
    return population(fit(turns))


def population(found: Fit) -> Population:
    """The agents that a fit by `re` describes."""
    design, rows = found.design, found.rows
    cases = found.estimate.cases
    if cases is None or cases.spread is None:
        raise NothingToLearn(f"{found.estimator!r} knows no spread of phi; take a fit by 're'")
    known, beta = found.estimate.inverse.identified, found.estimate.beta
    slopes = np.array(
        [[beta[place] if known[place] else 0.0 for place in _places(found, term)] for term in TERMS]
    )
    theta = beta[: design.n_theta].reshape(len(rows.models), -1)
    said = np.zeros(theta.shape, bool)
    said[rows.model, rows.y] = True
    spread = cases.spread
    return Population(
        models=rows.models,
        slopes=slopes,
        theta=np.where(said, theta, theta.max(axis=1, keepdims=True) + UNTOLD),
        phi_root=_root(spread.embedded(spread.covariance())[: spread.width, : spread.width]),
    )


def _places(found: Fit, term: str) -> list[int]:
    return [found.names.index(f"{term}[{model}]") for model in found.rows.models]


def _root(covariance: Floats) -> Floats:
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    return root
