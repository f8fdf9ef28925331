"""How far a run is, from its directory alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ray_jobs.case_table import CaseTable
from ray_jobs.claims import earlier_claims
from ray_jobs.ended import Ended, Extent, beyond, extents
from ray_jobs.experiment import Experiment
from ray_jobs.label_folder import run_of
from ray_jobs.labelling import label_stages
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from ray_jobs.stage_block import DEBATES
from ray_jobs.store import Store


@dataclass(frozen=True, slots=True)
class Standing:
    """The plan that a run was last started with, how far each of its stages is, and how often it was started.

    `finished` says of the debates of the plan, in its order, which are; `stages` begin with these debates.
    What has failed has not `ended` here. Of `labels` of another run all this is told of their stages alone.
    """

    plan: Plan
    ended: Ended
    finished: npt.NDArray[np.bool_]
    stages: list[Extent]
    starts: int
    fork: str | None
    labels: bool

    @classmethod
    def of(cls, store: Store) -> Standing:
        """As the store says now. Raises `ExperimentError` when it holds no run."""
        claims = earlier_claims(store)
        if not claims:
            raise ExperimentError(
                f"{store.uri}: found no run of moot; expected a run directory with claims/ in it"
            )
        last, ended = claims[-1], Ended.of(store, failed_by=())
        source = run_of(store) if last.labels else store
        plan = Plan(Experiment.thawed(last.frozen), CaseTable(source).ids)
        debates = plan.debates()
        there = ended.beside(Ended.of(source, failed_by=())) if last.labels else ended
        stages = list(extents(plan, debates, there))
        if last.labels:
            own = label_stages(plan.stages.values())
            stages = [extent for extent in stages if extent.stage in own]
        finished = there.has(debates.numbers)
        return cls(plan, ended, finished, stages, len(claims), last.fork, last.labels)

    @property
    def further(self) -> list[Extent]:
        """How far the stages are that are no debates of the designs."""
        return [extent for extent in self.stages if extent.stage != DEBATES]

    @property
    def left(self) -> int:
        """How many debates of all stages are not finished, as far as is known."""
        return sum(len(extent.left) for extent in self.stages)

    @property
    def beyond(self) -> int:
        """How many finished ones there are that the plan does not hold."""
        return beyond(self.stages, self.ended)
