"""A run whose debates are labelled."""

from __future__ import annotations

from dataclasses import dataclass

from ray_jobs.claims import earlier_claims
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store, reach


@dataclass(frozen=True, slots=True)
class Played:
    """The run: its store, its id, and the experiment it was last started with."""

    store: Store
    run_id: str
    experiment: Experiment

    @classmethod
    def of(cls, run: str) -> Played:
        """Raises `ExperimentError` when there is no run, or there are labels of one."""
        reach(run)
        store = Store(run)
        claims = earlier_claims(store)
        if not claims:
            raise ExperimentError(
                f"{run}: found no run of moot; allowed: a run directory, with claims/ in it"
            )
        if claims[-1].labels:
            raise ExperimentError(f"{run}: found labels of a run; allowed: the run itself, two folders above")
        return cls(store, claims[-1].run_id, Experiment.thawed(claims[-1].frozen))
