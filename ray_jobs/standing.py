"""How far a run is, from its directory alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ray_jobs.case_table import CaseTable
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.run_directory import among, debates_in, earlier_claims
from ray_jobs.store import Store


@dataclass(frozen=True, slots=True)
class Standing:
    """The plan that a run was last started with, and which of its debates are finished, in its order."""

    plan: Plan
    finished: npt.NDArray[np.bool_]
    starts: int

    @classmethod
    def of(cls, store: Store) -> Standing:
        """As the store says now. Raises `ExperimentError` when it holds no run."""
        claims = earlier_claims(store)
        if not claims:
            raise ExperimentError(
                f"{store.uri}: found no run of moot; expected a run directory with claims/ in it"
            )
        experiment = Experiment.thawed(claims[-1].frozen)
        plan = Plan(experiment, CaseTable(store).ids)
        return cls(plan, among(plan.numbers(), debates_in(store, "debates")), len(claims))
