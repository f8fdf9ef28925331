"""Parameters to simulate from: those of the paper where it gives them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.model.plan import Plan
from analysis.model.population import Population
from analysis.model.rows import Floats
from analysis.model.simulate import Verdicts

CALIBRATED_ON = 4_000
"""Cases drawn to find the theta that gives the wanted shares of round 1."""


@dataclass(frozen=True, slots=True)
class Truth:
    """What debates are drawn from.

    `slopes` is 3 by models, in the order of `TERMS`; `shares` models by labels, those of a first verdict that
    has heard nothing. `case_sd` is the standard deviation of phi; `model_case_sd` that of a leaning that a
    model alone has on a case; `debate_sd` that of a leaning that all seats of a debate share.
    """

    models: tuple[str, ...]
    slopes: Floats
    shares: Floats
    case_sd: float = 1.5
    model_case_sd: float = 0.0
    debate_sd: float = 0.0

    def draw(self, plan: Plan, seed: int) -> Verdicts:
        """The verdicts of the debates of `plan`, whose models are among `models`."""
        return self.population().draw(plan, seed)

    def population(self) -> Population:
        """The agents that give `shares` in round 1."""
        phi_root = self.case_sd * np.eye(self.shares.shape[1])
        return Population(
            self.models, self.slopes, self.theta(), phi_root, self.model_case_sd, self.debate_sd
        )

    def theta(self) -> Floats:
        """Models by labels: what gives `shares` on average over cases, found by proportional fitting."""
        sd = float(np.hypot(np.hypot(self.case_sd, self.model_case_sd), self.debate_sd))
        phi = np.random.default_rng(0).normal(0, sd, (CALIBRATED_ON, 1, self.shares.shape[1]))
        theta = np.log(self.shares)
        for _ in range(60):
            weight = np.exp(theta + phi)
            theta = theta + np.log(self.shares / (weight / weight.sum(axis=2, keepdims=True)).mean(axis=0))
        return theta


PAPER_TRUTH = Truth(
    models=("gpt", "claude", "gemini"),
    slopes=np.log([[8.27, 4.49, 2.83], [1.3, 3.0, 2.0], [8.68, 2.0, 5.21]]),
    shares=np.array(
        [
            [0.820, 0.100, 0.050, 0.025, 0.005],
            [0.555, 0.205, 0.145, 0.085, 0.010],
            [0.515, 0.340, 0.100, 0.040, 0.005],
        ]
    ),
)
"""The odds ratios of the paper's Table 1 (its third version), in its synchronous and round-robin debates.

Not given there and chosen here: gamma_prev, and gamma_within of claude, in the order of size that the text
tells; the shares of ESH, NAH and INFO in round 1, where those of NTA and YTA are near its Fig. 3.
"""
