"""Plays an experiment, or goes on with one, from its file to its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from ray_jobs.case_table import add_cases
from ray_jobs.cases import load_cases
from ray_jobs.connection import connected
from ray_jobs.crew import crew
from ray_jobs.driver import driver
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.lease import lease
from ray_jobs.located import ExperimentError
from ray_jobs.moderator import Task
from ray_jobs.plan import Debate, Plan
from ray_jobs.preflight import preflight
from ray_jobs.progress import Progress
from ray_jobs.recovery import clear_log, recover
from ray_jobs.run_directory import among, claim_id, claim_run, debates_in, refuse_foreign
from ray_jobs.store import Store
from serving.blocks import ModelBlock

STALL_SECONDS = 900.0  # a run in which nothing has been answered for so long ends with an error


def play_experiment(
    file: Path, out: str | None, address: str | None, progress: Progress, retry_failed: bool = False
) -> None:
    """Plays what of the experiment has not been played yet.

    `out` is the run directory, by default runs/<name>; `address` that of a Ray cluster, where None
    starts Ray on this machine unless RAY_ADDRESS names a cluster. Debates that failed are played again
    only if `retry_failed`. Raises `ExperimentError` for bad input before anything is started.
    """
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    for warning in preflight(experiment, cases):
        progress.warn(warning)
    plan = Plan(experiment, [case.id for case in cases])
    store = Store(local_folder(out or f"runs/{experiment.name}"))
    refuse_foreign(store)
    claim = claim_id()
    with lease(store, claim):
        task = Task(store.uri, claim_run(store, experiment, claim))
        add_cases(store, cases, {"run_id": task.claim.run_id}, claim)
        for warning in recover(store):
            progress.warn(warning)
        tables = ["debates"] if retry_failed else ["debates", "failures"]
        there, planned = debates_in(store, *tables), plan.numbers()
        ended = among(planned, there)
        left = np.flatnonzero(~ended)
        beyond = len(np.unique(there)) - int(ended.sum())
        also = f"; it also holds {beyond:,} debates that this experiment does not plan" if beyond else ""
        done = f"{ended.sum():,} of {len(plan):,} debates have ended"
        progress.say(f"{store.uri}: {done}, {len(left):,} are to play{also}")
        if len(left):
            progress.begin(len(plan), int(ended.sum()))
            with connected(address):
                debates = (plan.debate(int(index)) for index in left)
                play(task, seated(experiment, plan), debates, progress)
            clear_log(store)


def local_folder(out: str) -> str:
    """Raises `ExperimentError` for an address: the log is kept on file systems only."""
    if "://" in out:
        raise ExperimentError(
            f"--out: found '{out}'; allowed: a folder, on a cluster one that all nodes share"
        )
    return out


def play(task: Task, models: Mapping[str, ModelBlock], debates: Iterable[Debate], progress: Progress) -> None:
    """Plays the debates on the connected cluster; all actors are gone when it returns or raises."""
    progress.say(f"starting {', '.join(models)}")
    with crew(models) as open_crew, driver(task, open_crew, progress, STALL_SECONDS) as seat, progress:
        seat.play(debates)


def seated(experiment: Experiment, plan: Plan) -> dict[str, ModelBlock]:
    """The models that sit on a panel, in the order of the experiment."""
    names = {model for cell in plan.cells for model in cell.panel}
    return {name: block for name, block in experiment.models.items() if name in names}
