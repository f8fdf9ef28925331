"""Plays an experiment, or goes on with one, from its file to its tables."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ray_jobs.case_table import add_cases
from ray_jobs.cases import load_cases
from ray_jobs.cluster.preflight import check_cluster
from ray_jobs.connection import connected, on_cluster, refuse_job_folder
from ray_jobs.crew import crew
from ray_jobs.debate import Debate
from ray_jobs.driver import Incomplete, driver
from ray_jobs.ended import Ended, Extent, extents, how_far
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.failed import DebatesFailed, still_failed, summary_of
from ray_jobs.keys import refuse_missing_keys
from ray_jobs.label_folder import keep_values
from ray_jobs.lease import lease
from ray_jobs.ledger import Ledger
from ray_jobs.plan import Plan
from ray_jobs.preflight import preflight
from ray_jobs.progress import Progress
from ray_jobs.recovery import check_replies, clear_log, recover
from ray_jobs.run_directory import claim_id, claim_ids, claim_run, refuse_foreign, require_run
from ray_jobs.spending import spent
from ray_jobs.status import Task
from ray_jobs.store import Store, reach
from ray_jobs.treasury import Funds
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
    an `out` where no run can be, before anything is started; in the end `Incomplete` when models stopped
    answering, and `DebatesFailed` when all has ended but some has failed.
    """
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    for warning in preflight(experiment, cases, elsewhere=on_cluster(address)):
        progress.warn(warning)
    plan = Plan(experiment, [case.id for case in cases])
    reach(out := out or f"runs/{experiment.name}")
    refuse_job_folder(out)
    store = Store(out)
    refuse_foreign(store)
    if fork is not None:
        fork = require_run(fork, other_than=store)
    claim = claim_id(claim_ids(store))
    with lease(store, claim):
        task = Task(store.place, claim_run(store, experiment, claim, fork))
        keep_values(store, plan.stages.values())
        if task.claim.fork is not None:
            check_replies(Store(require_run(task.claim.fork, other_than=store)))
        add_cases(store, cases, {"run_id": task.claim.run_id}, claim)
        for warning in recover(store):
            progress.warn(warning)
        ended = Ended.of(store, failures=not retry_failed)
        far = list(extents(plan, plan.debates(), ended))
        forked = f", a fork of {task.claim.fork}" if task.claim.fork else ""
        progress.say(f"{store.uri}{forked}: {how_far(far, ended)}")
        if any(len(extent.left) for extent in far):
            progress.begin(far, plan.stages)
            models, funds = asked(experiment, plan, far), _funds(store, experiment, claim)
            refuse_missing_keys(experiment, models, address)
            with connected(address):
                if on_cluster(address):
                    check_cluster(store, models, progress.warn)
                debates = chain.from_iterable(extent.left for extent in reversed(far))  # oldest first
                if funds is not None:
                    progress.say(f"budget: {Ledger(funds.cap, funds.spent).told()}")
                stopped = play(task, plan, models, debates, progress, funds)
            clear_log(store)
            if stopped:
                raise Incomplete(_unplayed(store, plan, stopped))
        progress.say(f"to see the result: moot show {store.uri}, or moot report {store.uri}")
        if failures := still_failed(store):
            raise DebatesFailed(summary_of(failures, store.uri))


def _funds(store: Store, experiment: Experiment, claim: str) -> Funds | None:
    """What is there to pay for calls, if there is a budget."""
    if experiment.budget is None:
        return None
    return Funds(experiment.budget.cap, spent(store), store.uri, claim)


def _unplayed(store: Store, plan: Plan, stopped: Mapping[str, str]) -> str:
    left = sum(len(extent.left) for extent in extents(plan, plan.debates(), Ended.of(store)))
    told = f"{store.uri} is incomplete: {left:,} debates and judgments are left unplayed, {reasons(stopped)}"
    failures = still_failed(store)
    return f"{told}\n{summary_of(failures, store.uri)}." if failures else told


def reasons(stopped: Mapping[str, str]) -> str:
    """Why models stopped answering, and what to do."""
    told = "\n".join(f"  {model}: {reason}" for model, reason in stopped.items())
    return (
        f"because models stopped answering:\n{told}\nMend this, and the same command goes on; nothing that"
        " was answered is lost."
    )


def play(
    task: Task,
    plan: Plan,
    models: Mapping[str, ModelBlock],
    debates: Iterable[Debate | None],
    progress: Progress,
    funds: Funds | None = None,
) -> dict[str, str]:
    """Plays the debates on the connected cluster; all actors are gone when it returns or raises.

    The debates are as in `Driver.play`. Returns the models that stopped answering, and why; what needs
    them is left unplayed.
    """
    names, began = ", ".join(models), time.monotonic()
    progress.say(f"starting {names}")
    with (
        progress,
        crew(models, funds) as open_crew,
        driver(task, plan, open_crew, progress, STALL_SECONDS) as seat,
    ):
        progress.say(f"ready after {time.monotonic() - began:.0f} s: {names}")
        seat.play(debates)
        return seat.stopped


def asked(experiment: Experiment, plan: Plan, far: Sequence[Extent]) -> dict[str, ModelBlock]:
    """The models that what is left still needs, in the order of the experiment."""
    names = {model for extent in far if len(extent.left) for model in plan.models_from(extent.stage)}
    return {name: block for name, block in experiment.models.items() if name in names}
