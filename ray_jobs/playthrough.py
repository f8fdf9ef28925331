"""Plays an experiment, or goes on with one, from its file to its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ray_jobs.case_table import add_cases
from ray_jobs.cases import load_cases
from ray_jobs.connection import connected
from ray_jobs.crew import crew
from ray_jobs.debate import Debate
from ray_jobs.driver import Incomplete, driver
from ray_jobs.ended import Ended, Extent, extents
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.lease import lease
from ray_jobs.plan import Plan
from ray_jobs.preflight import preflight
from ray_jobs.progress import Progress
from ray_jobs.recovery import clear_log, recover
from ray_jobs.run_directory import claim_id, claim_run, refuse_foreign, require_run
from ray_jobs.status import Task
from ray_jobs.store import Store, reach
from serving.blocks import ModelBlock

STALL_SECONDS = 900.0  # a run in which nothing has been answered for so long ends with an error


def play_experiment(
    file: Path,
    out: str | None,
    address: str | None,
    progress: Progress,
    retry_failed: bool = False,
    fork: str | None = None,
) -> None:
    """Plays what of the experiment has not been played yet.

    `out` is the run directory, by default runs/<name>; `address` that of a Ray cluster, where None
    starts Ray on this machine unless RAY_ADDRESS names a cluster. Debates that failed are played again
    only if `retry_failed`. `fork` is another run: whatever was answered there to the very same question is
    not asked again. Raises `ExperimentError` for bad input, and `AddressError` or `Unreachable` for
    an `out` where no run can be, before anything is started.
    """
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    for warning in preflight(experiment, cases):
        progress.warn(warning)
    plan = Plan(experiment, [case.id for case in cases])
    reach(out := out or f"runs/{experiment.name}")
    store = Store(out)
    refuse_foreign(store)
    if fork is not None:
        fork = require_run(fork, other_than=store)
    claim = claim_id()
    with lease(store, claim):
        task = Task(store.uri, claim_run(store, experiment, claim, fork))
        add_cases(store, cases, {"run_id": task.claim.run_id}, claim)
        for warning in recover(store):
            progress.warn(warning)
        ended = Ended.of(store, failures=not retry_failed)
        far = list(extents(plan, plan.debates(), ended))
        progress.say(f"{store.uri}: {_how_far(far, ended)}")
        if any(len(extent.left) for extent in far):
            progress.begin({extent.stage: (extent.ended, extent.most) for extent in far})
            with connected(address):
                debates = chain.from_iterable(extent.left for extent in reversed(far))  # oldest first
                stopped = play(task, plan, asked(experiment, plan), debates, progress)
            clear_log(store)
            if stopped:
                raise Incomplete(_unplayed(store, plan, stopped))


def _unplayed(store: Store, plan: Plan, stopped: Mapping[str, str]) -> str:
    left = sum(len(extent.left) for extent in extents(plan, plan.debates(), Ended.of(store)))
    reasons = "\n".join(f"  {model}: {reason}" for model, reason in stopped.items())
    return (
        f"{store.uri} is incomplete: {left:,} debates and judgments are left unplayed, because models stopped"
        f" answering:\n{reasons}\nMend this, and the same command goes on; nothing that was answered is lost."
    )


def _how_far(far: Sequence[Extent], ended: Ended) -> str:
    debates, *stages = far
    done = f"{debates.ended:,} of {debates.most:,} debates have ended, {len(debates.left):,} are to play"
    further = [f"; {each.stage}: {each.ended:,} of at most {each.most:,} have ended" for each in stages]
    beyond = ended.count - sum(extent.ended for extent in far)
    also = f"; it also holds {beyond:,} that this experiment does not plan" if beyond else ""
    return "".join([done, *further, also])


def play(
    task: Task, plan: Plan, models: Mapping[str, ModelBlock], debates: Iterable[Debate], progress: Progress
) -> dict[str, str]:
    """Plays the debates on the connected cluster; all actors are gone when it returns or raises.

    Returns the models that stopped answering, and why; what needs them is left unplayed.
    """
    progress.say(f"starting {', '.join(models)}")
    with crew(models) as open_crew, driver(task, plan, open_crew, progress, STALL_SECONDS) as seat, progress:
        seat.play(debates)
        return seat.stopped


def asked(experiment: Experiment, plan: Plan) -> dict[str, ModelBlock]:
    """The models that sit on a panel or judge, in the order of the experiment."""
    return {name: block for name, block in experiment.models.items() if name in plan.models}
