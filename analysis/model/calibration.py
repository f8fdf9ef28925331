"""Is what a fit holds likely as frequent as it says? Verdict by verdict, with phi at its mode."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.model.fit import Fit
from analysis.model.likelihood import derivatives
from analysis.model.predictive import NoCases
from analysis.model.rows import Floats

DECILES = 10


def by_decile(found: Fit) -> pd.DataFrame:
    """All labels that verdicts could give, in tenths by the probability that the fit gives them.

    One row for each tenth, the least likely first: tenth, from 1; n, labels; predicted, the mean probability;
    observed, the share that was given. Raises `NoCases` for a fit to pairs.
    """
    p, y = _probabilities(found), found.rows.given().astype(np.float64)
    order = np.argsort(p, axis=None, kind="stable")
    tenths = [(p.ravel()[at], y.ravel()[at]) for at in np.array_split(order, DECILES)]
    told = [(number, len(at), at.mean(), of.mean()) for number, (at, of) in enumerate(tenths, 1) if len(at)]
    return pd.DataFrame(told, columns=["tenth", "n", "predicted", "observed"])


KEPT = "the seat's last verdict"
"""What is told beside the labels from round 2 on."""


def by_round(found: Fit) -> pd.DataFrame:
    """The share of every label in each round, and how often seats kept their last verdict, beside the fit's.

    Columns: round; label, or `KEPT`; n, verdicts; predicted; observed. Raises `NoCases` for a fit to pairs.
    """
    rows, p = found.rows, _probabilities(found)
    own = rows.x[0]
    told = []
    for round in np.unique(rows.round):
        at = rows.round == round
        given = rows.given()[:, at]
        told += [
            (int(round), label, int(at.sum()), float(p[place, at].mean()), float(given[place].mean()))
            for place, label in enumerate(rows.labels)
        ]
        again = at & (own.sum(axis=0) > 0)
        if again.any():
            kept = [(own * of)[:, again].sum(axis=0).mean() for of in (p, rows.given())]
            told.append((int(round), KEPT, int(again.sum()), float(kept[0]), float(kept[1])))
    return pd.DataFrame(told, columns=["round", "label", "n", "predicted", "observed"])


def _probabilities(found: Fit) -> Floats:
    """Labels by n: the probability of every label for each row, with phi of its case at the mode."""
    cases = found.estimate.cases
    if cases is None:
        raise NoCases(f"{found.estimator!r} knows no phi, so it gives no probabilities; take the fit by 're'")
    of = found.estimate.design
    p = derivatives(of, found.estimate.beta, cases.mean, found.estimate.weights).p
    return p[:, of.pattern]
