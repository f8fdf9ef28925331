"""Would debates drawn from a fit look like those that were had? Change of verdict and consensus by condition.

A model may fit verdict by verdict and yet not play a debate: the odds ratios of the paper's Table 1, put to
play, change GPT's verdict in one synchronous debate of ten, where the paper counts one of thirty.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.model.estimate import Cases
from analysis.model.fit import Fit
from analysis.model.likelihood import NEVER
from analysis.model.observed import observed
from analysis.model.outcomes import outcomes
from analysis.model.plan import Plan
from analysis.model.rows import TERMS, Flags, Floats
from analysis.model.simulate import Verdicts, chances, play

DRAWS = 20
SEED = 20_251_010
ENDS = (0.025, 0.975)


class NoCases(ValueError):
    """A fit without phi cannot be put to play."""


def predictive(found: Fit, turns: pd.DataFrame, draws: int = DRAWS, seed: int = SEED) -> pd.DataFrame:
    """The debates of `turns`, to which `found` was fitted, beside as many drawn from it.

    Each draw takes parameters from their normal approximation with clustered errors, phi of every case from
    its distribution given the verdicts, and plays the same conditions on the same cases again, all verdicts
    readable. One row for each condition and quantity: condition; quantity; n, debates; observed; predicted,
    the mean of the draws; low, high, where 95% of them lie. Raises `NoCases` for a fit to pairs, and
    where every debate goes on from another.
    """
    if found.estimate.cases is None:
        raise NoCases(f"{found.estimator!r} knows no phi, so it cannot play; take the fit by 're'")
    plan, had = observed(turns, found.rows.labels)
    if not len(plan.case):
        raise NoCases("every debate goes on from another, and none began as its protocol has it")
    drawn = np.stack(
        [
            np.array([value for *_, value in _measures(plan, verdicts)])
            for verdicts in _played(found, found.estimate.cases, plan, draws, np.random.default_rng(seed))
        ]
    )
    told = pd.DataFrame(_measures(plan, had), columns=["condition", "quantity", "n", "observed"])
    low, high = np.quantile(drawn, ENDS, axis=0)
    return told.assign(predicted=drawn.mean(axis=0), low=low, high=high)


def _played(
    found: Fit, cases: Cases, plan: Plan, draws: int, dice: np.random.Generator
) -> Iterator[Verdicts]:
    """The verdicts of each draw."""
    design, rows = found.design, found.rows
    case = (
        np.array([rows.cases.index(name) for name in plan.cases])[plan.case]
        if plan.cases != rows.cases
        else plan.case
    )
    model = np.array([rows.models.index(name) for name in plan.models])[plan.model]
    protocol = np.array([rows.protocols.index(name) for name in plan.protocols])[plan.protocol]
    group = np.zeros((len(rows.models), len(rows.protocols)), np.int64)
    group[rows.model, rows.protocol] = design.row_group
    allowed = _allowed(found)
    root, root_phi = _root(found.covariance), _root(cases.covariance)
    for _ in range(draws):
        beta = found.estimate.beta + root @ dice.normal(size=len(root))
        noise = np.einsum("dlk,dk->dl", root_phi, dice.normal(size=root_phi.shape[:2]))
        phi = cases.mean + noise.reshape(cases.mean.shape)
        theta = beta[: design.n_theta].reshape(len(rows.models), -1)
        lean = np.where(allowed, theta + phi, NEVER)[case[:, None], model]
        slopes = np.zeros((len(TERMS), len(design.groups)))
        slopes[list(design.terms)] = beta[design.n_theta :].reshape(-1, len(design.groups))
        of_turns = slopes[:, group[model, protocol[:, None]]]
        yield play(plan, lean, of_turns, chances(plan, dice), rows.convention)


def _allowed(found: Fit) -> Flags:
    """Cases by models by labels: what each could choose in the fit."""
    design = found.estimate.design
    allowed = np.zeros((len(found.rows.cases), len(found.rows.models), len(found.rows.labels)), bool)
    allowed[design.case, design.model] = design.choices
    return allowed


def _root(covariance: Floats) -> Floats:
    """A root of symmetric matrices, which need not have full rank."""
    values, vectors = np.linalg.eigh(covariance)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0))[..., None, :]
    return root


def _measures(plan: Plan, verdicts: Verdicts) -> list[tuple[str, str, int, float]]:
    """Condition, quantity, number of debates, share: for every condition, by name."""
    return [
        (one.condition, one.quantity, len(one.flags), float(one.flags.mean()) if len(one.flags) else np.nan)
        for one in outcomes(plan, verdicts)
    ]
