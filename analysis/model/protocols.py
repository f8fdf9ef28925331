"""Are inertia and conformity the same under every protocol?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.model.convention import DEFAULT, Convention
from analysis.model.fit import Fit, fit
from analysis.model.rows import Rows
from analysis.model.wald import Test, wald


@dataclass(frozen=True, slots=True)
class ByProtocol:
    """A fit with slopes for every model and protocol, and the test that protocols do not matter."""

    fit: Fit
    interaction: Test


def by_protocol(
    turns: pd.DataFrame | Rows, estimator: str = "re", convention: Convention = DEFAULT
) -> ByProtocol:
    """Slopes by model and protocol, in one fit: fits of one protocol each have few verdicts for each case.

    The test (Wald, clustered by case) is that the slope of each term and model is the same under all the
    protocols in which it is identified.
    """
    found = fit(turns, estimator, convention, slope_by=("model", "protocol"))
    alike: dict[tuple[str, str], list[int]] = {}
    for place in np.flatnonzero(found.slopes):
        term, group = found.names[place].rstrip("]").split("[")
        alike.setdefault((term, group.rsplit(", ", 1)[0]), []).append(int(place))
    contrasts = [
        np.eye(len(found.names))[other] - np.eye(len(found.names))[places[0]]
        for places in alike.values()
        for other in places[1:]
    ]
    c = np.array(contrasts).reshape(-1, len(found.names))
    test = wald(
        "slopes are the same under every protocol",
        c @ found.estimate.beta,
        c @ found.covariance @ c.T,
        len(np.unique(found.rows.case)),
    )
    return ByProtocol(found, test)
