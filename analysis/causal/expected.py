"""What Eq. 2, fitted to debates, expects to be seen in the planted arm."""

from __future__ import annotations

import numpy as np

from analysis.causal.arms import NONE, Planted
from analysis.model.fit import Fit
from analysis.model.rows import Flags, Floats, Ints


def expected(found: Fit, arm: Planted, term: str) -> tuple[float, float, float]:
    """The difference of shares of `planted.conformity` by a fit by `re`, and its ends by those of the slope.

    `arm` is of one model; only its cases that the fit knows. Phi of a case is at its mean given the debates.
    Null where the fit does not know the model, the slope or any case.
    """
    nothing = (float("nan"),) * 3
    model = arm.models[arm.model[0]]
    name = f"{term}[{model}]"
    if name not in found.names or found.estimate.cases is None:
        return nothing
    row = found.table().loc[name].to_dict()
    place = np.array([found.rows.cases.index(one) if one in found.rows.cases else NONE for one in arm.cases])
    kept = arm.where(place[arm.case] != NONE)
    if not len(kept.said) or not np.isfinite(row["coef"]):
        return nothing
    chance = _unheard(found, kept, model, place)
    ends = (float(row[one]) for one in ("coef", "low", "high"))
    estimate, low, high = (_difference(chance, slope * kept.heard.astype(np.float64)) for slope in ends)
    return estimate, low, high


def _unheard(found: Fit, arm: Planted, model: str, place: Ints) -> Floats:
    """Verdicts by labels: the probability of each label if nothing had been heard."""
    design, beta = found.design, found.estimate.beta
    labels = [found.rows.labels.index(label) if label in found.rows.labels else NONE for label in arm.labels]
    number = found.rows.models.index(model)
    theta = beta[: design.n_theta].reshape(len(found.rows.models), -1)[number]
    cases = found.estimate.cases
    assert cases is not None
    phi = cases.mean[place[arm.case], number if design.levels > 1 else 0]
    eta = np.where(_used(found, number), theta + phi, -np.inf)[:, labels]
    alpha = found.table()["coef"].get(f"alpha[{model}]", 0.0)
    eta += (0.0 if np.isnan(alpha) else alpha) * (arm.before[:, None] == np.arange(len(arm.labels)))
    odds = np.exp(eta - eta.max(axis=1, keepdims=True))
    chance: Floats = odds / odds.sum(axis=1, keepdims=True)
    return chance


def _used(found: Fit, model: int) -> Flags:
    """Which labels the model ever gives."""
    rows = found.rows
    used: Flags = np.bincount(rows.y[rows.model == model], minlength=len(rows.labels)) > 0
    return used


def _difference(chance: Floats, slope: Floats) -> float:
    """The mean over verdicts and labels of P(v | v planted) - P(v | another planted)."""
    more = np.exp(slope)[:, None]
    total = 1 + chance * (more - 1)
    labels = chance.shape[1]
    hit = (chance * more / total).mean(axis=1)
    other = ((1 - chance) / total).mean(axis=1) / (labels - 1)
    return float((hit - other).mean())
