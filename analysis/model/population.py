"""Agents to simulate: how each leans and is moved, and how dilemmas differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.model.plan import Plan
from analysis.model.rows import Floats
from analysis.model.simulate import Verdicts, chances, play


@dataclass(frozen=True, slots=True)
class Population:
    """What debates are drawn from, in log-odds; V labels, those of the verdicts in their order.

    `slopes` is 3 by models, in the order of `TERMS`; `theta` models by V. Phi of a case is `phi_root`, V by
    V, times standard normal numbers, so its covariance is the root times its transpose. `model_case_sd` is
    the standard deviation of a leaning that a model alone has on a case; `debate_sd` that of a leaning that
    all seats of a debate share.
    """

    models: tuple[str, ...]
    slopes: Floats
    theta: Floats
    phi_root: Floats
    model_case_sd: float = 0.0
    debate_sd: float = 0.0

    def draw(self, plan: Plan, seed: int | Sequence[int]) -> Verdicts:
        """The verdicts of the debates of `plan`, whose models are among `models`."""
        dice = np.random.default_rng(seed)
        width = self.theta.shape[1]
        order = [self.models.index(model) for model in plan.models]
        phi = (dice.normal(size=(len(plan.cases), width)) @ self.phi_root.T)[:, None]
        own = dice.normal(0, self.model_case_sd, (len(plan.cases), len(order), width))
        lean = (self.theta[order] + phi + own)[plan.case[:, None], plan.model]
        lean += dice.normal(0, self.debate_sd, (len(plan.case), 1, width))
        return play(plan, lean, self.slopes[:, order][:, plan.model], chances(plan, dice))
