"""Plays an experiment, or goes on with one, from its file to its tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ray_jobs.case_table import add_cases
from ray_jobs.cases import load_cases
from ray_jobs.claims import changed_sources, claim_id, claim_ids, claim_run, earlier_claims
from ray_jobs.connection import joins_cluster, refuse_job_folder
from ray_jobs.driver import Incomplete
from ray_jobs.ended import Ended, extents
from ray_jobs.experiment import load_experiment
from ray_jobs.failed import DebatesFailed, still_failed, summary_of
from ray_jobs.label_folder import keep_values
from ray_jobs.lease import lease
from ray_jobs.plan import Plan
from ray_jobs.preflight import preflight
from ray_jobs.progress import Progress
from ray_jobs.recovery import check_replies, clear_log, recover
from ray_jobs.run_directory import refuse_foreign, require_run
from ray_jobs.sittings import Sittings
from ray_jobs.store import Store, reach


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
    for warning in (*cases.warnings, *preflight(experiment, cases, elsewhere=joins_cluster(address))):
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
        for warning in changed_sources(earlier_claims(store), experiment):
            progress.warn(warning)
        begun = claim_run(store, experiment, claim, fork)
        keep_values(store, plan.stages.values())
        if begun.fork is not None:
            check_replies(Store(require_run(begun.fork, other_than=store)))
        add_cases(store, cases, {"run_id": begun.run_id}, claim)
        for warning in recover(store):
            progress.warn(warning)
        stopped = Sittings(store, experiment, plan, begun, progress).play(address, retry_failed)
        clear_log(store)
        if stopped:
            raise Incomplete(_unplayed(store, plan, stopped))
        progress.say(f"to see the result: moot show {store.uri}, or moot report {store.uri}")
        if failures := still_failed(store):
            raise DebatesFailed(summary_of(failures, store.uri))


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
