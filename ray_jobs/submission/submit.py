"""`moot submit`: an experiment as a Ray job, followed to its end and submitted again when it is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from ray.dashboard.modules.job.pydantic_models import JobDetails

from ray_jobs.cases import load_cases
from ray_jobs.experiment import Experiment, load_experiment
from ray_jobs.lease import STALE_SECONDS, live_holders
from ray_jobs.located import ExperimentError
from ray_jobs.preflight import preflight
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store, reach
from ray_jobs.submission.job_server import AlreadyThere, JobServer, refuse_other_ray, server_address
from ray_jobs.submission.order import Order, attempt_of
from ray_jobs.submission.outcome import Outcome
from ray_jobs.submission.shipment import refuse_unsendable, shipment
from ray_jobs.submission.watch import Watch, newest_claim
from serving.remote_block import RemoteBlock

Say = Callable[[str], None]
LOOK_SECONDS = 2.0


class Submission:
    """An order at a job server, from its first attempt to its last; `job` is the one that plays it."""

    def __init__(self, server: JobServer, order: Order, say: Say) -> None:
        self._server, self._order, self._say = server, order, say
        self._store = readable(order.out)
        self._before: str | None = None
        self.job = ""

    def begin(self) -> None:
        """Finds the job that plays it already, or else submits a new attempt.

        Raises `ExperimentError` when another job plays something else into the same run directory.
        """
        jobs, order = self._server.jobs(), self._order
        for job in jobs:
            if not job.status.is_terminal() and (job.metadata or {}).get("run") == order.out:
                self._join(job)
                return
        attempt = 1 + max((attempt_of(job.submission_id or "", order.name) or 0 for job in jobs), default=0)
        self.job, self._before = order.id(attempt), newest_claim(self._store)
        with shipment(order.experiment) as folder:
            metadata = order.metadata(attempt)
            try:
                self._server.submit(self.job, order.entrypoint, folder, metadata, order.cpus, order.memory)
            except AlreadyThere:  # by a command given at the same time
                self.begin()
                return
        self._say(f"submitted {self.job} to {self._server.address}; it plays into {order.out}")

    def follow(self) -> Outcome:
        """Tells how the job goes, and how it ended."""
        watch = Watch(self._server, self._store, self._before, self._say)
        outcome = Outcome.of(watch.until_ended(self.job))
        if outcome.why:
            self._say(f"{self.job}: {outcome.why}")
        return outcome

    def settle(self) -> None:
        """Waits until nobody holds the run any more: a driver that was lost does not say so."""
        if newest_claim(self._store) is None:
            self._say(f"waiting {STALE_SECONDS:.0f} s, until the lost driver's hold on the run has ended")
            time.sleep(STALE_SECONDS)
            return
        while self._store is not None and live_holders(self._store):
            time.sleep(LOOK_SECONDS)

    def how_to_look(self) -> str:
        """How to see how the job goes, and how to end it."""
        at = f"{self.job} --address {self._server.address}"
        return (
            f"to follow it again: the same command; how far it is: moot status {self._order.out}\n"
            f"its log: ray job logs {at}\n"
            f"to end it: ray job stop {at}"
        )

    def _join(self, job: JobDetails) -> None:
        name = job.submission_id or ""
        if attempt_of(name, self._order.name) is None:
            raise ExperimentError(
                f"{self._order.out} is being played by the job {name}, of another experiment or with other"
                f" options; wait for it, end it with ray job stop {name} --address {self._server.address}, or"
                " give another --out"
            )
        self.job, self._before = name, None
        self._say(f"{name} plays this already; nothing new is submitted")


def submit_experiment(
    file: Path,
    order_of: Callable[[Experiment], Order],
    address: str | None,
    attempts: int,
    follow: bool,
    say: Say,
) -> int:
    """Submits an experiment and follows it; returns the exit code that `moot run` would end with.

    A job that is lost is submitted again, up to so many `attempts` in all. Raises `ExperimentError` for bad
    input, a cluster that cannot be reached or runs another Ray, and a run that another job plays.
    """
    if attempts > 1 and not follow:
        raise ExperimentError("--max-attempts needs somebody who follows the job; leave --no-follow away")
    order = order_of(load_experiment(file))
    for told in look_ahead(order):
        say(told)
    server = JobServer(server_address(address))
    refuse_other_ray(server)
    submission = Submission(server, order, say)
    submission.begin()
    if not follow:
        say(submission.how_to_look())
        return 0
    try:
        return _to_the_end(submission, attempts, say).code
    except KeyboardInterrupt:
        say("no longer followed; the job goes on, but nobody submits it again if it is lost")
        say(submission.how_to_look())
        return 130


def _to_the_end(submission: Submission, attempts: int, say: Say) -> Outcome:
    for _ in range(1, attempts):
        outcome = submission.follow()
        if not outcome.lost:
            return outcome
        submission.settle()
        submission.begin()
    outcome = submission.follow()
    if outcome.lost:
        say("nothing that was answered is lost: the same command goes on; --max-attempts N does so by itself")
    return outcome


def look_ahead(order: Order) -> list[str]:
    """What to tell before anything is sent; raises `ExperimentError` for what cannot be played."""
    experiment = order.experiment
    cases = load_cases(experiment)
    warnings = preflight(experiment, cases, elsewhere=True)
    refuse_unsendable(experiment)
    told = [f"warning: {each}" for each in (*cases.warnings, *warnings)]
    if (store := readable(order.out)) is None:
        told.append(f"{order.out} cannot be read from here, so the job is followed by its log")
    else:
        refuse_foreign(store)
    keys = {name: block.key for name, block in experiment.models.items() if isinstance(block, RemoteBlock)}
    told += [
        f"the key of '{name}' is read from {key} in the environment of the cluster's nodes; none is sent"
        for name, key in keys.items()
        if key
    ]
    return told


def readable(out: str) -> Store | None:
    """The run directory, if it can be read from here. Raises `AddressError` for an address of no run."""
    try:
        reach(out)
        return Store(out)
    except OSError:
        return None
