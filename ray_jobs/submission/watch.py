"""Follows a job: by the bulletins in its run directory where that can be read from here, else by its log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from ray.dashboard.modules.job.pydantic_models import JobDetails
from ray.job_submission import JobStatus

from ray_jobs.bulletin import Bulletin, latest
from ray_jobs.claims import claim_ids
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store
from ray_jobs.submission.job_server import JobServer, NoAnswer

LOOK_SECONDS = 1.0
LINE_SECONDS = 10.0  # between two lines of progress
SILENT_SECONDS = 180.0  # for which a head may be silent before the cluster is given up
LAST_LINES = {True: 2, False: 20}  # of the log of a job that ended, by whether it did well
SAID_BY_RAY = ("Runtime env is setting up.", "Running entrypoint for job ")


class Watch:
    """Tells with `say` how a job goes.

    `store` is its run directory; None where it cannot be read from here. `before` is the last start of the
    run before this job's, if it is known.
    """

    def __init__(
        self, server: JobServer, store: Store | None, before: str | None, say: Callable[[str], None]
    ) -> None:
        self._server, self._store, self._say = server, store, say
        self._before = before
        self._bulletin: Bulletin | None = None
        self._told = 0.0
        self._shown = 0

    def until_ended(self, name: str) -> JobDetails | None:
        """Waits for the end of the job; None where the cluster does not know it any more.

        Raises `ExperimentError` when the job server has not answered for `SILENT_SECONDS`.
        """
        status, heard = None, time.monotonic()
        while True:
            try:
                job = self._server.job(name)
                heard = time.monotonic()
            except NoAnswer as silence:
                self._bear(silence, time.monotonic() - heard)
                continue
            if job is None:
                return None
            if job.status != status:
                status = job.status
                self._say(f"{name}: {status.value.lower()}")
            self._follow(name)
            if job.status.is_terminal():
                self._tell_end(job)
                return job
            time.sleep(LOOK_SECONDS)

    def _bear(self, silence: NoAnswer, seconds: float) -> None:
        if seconds > SILENT_SECONDS:
            raise ExperimentError(
                f"{silence}. It has been silent for {seconds:.0f} s; nothing that was answered is lost. When"
                " the cluster is up, the same command goes on with the run"
            )
        time.sleep(LOOK_SECONDS)

    def _follow(self, name: str) -> None:
        """Shows the newest bulletin, or, as long as there is none, what the job prints."""
        bulletin = self._look()
        if bulletin is None:
            self._show_log(name)
        elif self._bulletin is None or time.monotonic() - self._told >= LINE_SECONDS:
            self._tell(bulletin)

    def _look(self) -> Bulletin | None:
        """The newest bulletin of the job's own start of the run."""
        if self._store is None:
            return None
        try:
            bulletin = latest(self._store)
        except OSError:
            return self._bulletin
        return None if bulletin is None or bulletin.claim == self._before else bulletin

    def _tell(self, bulletin: Bulletin) -> None:
        self._told = time.monotonic()
        if self._bulletin is None or bulletin.time != self._bulletin.time:
            self._say(f"{bulletin.line} · {bulletin.left}" if bulletin.left else bulletin.line)
            known = self._bulletin.stopped if self._bulletin else {}
            for model in bulletin.stopped.keys() - known.keys():
                self._say(f"model '{model}' answers nothing more in this run: {bulletin.stopped[model]}")
            self._bulletin = bulletin

    def _show_log(self, name: str) -> None:
        text = self._log(name)
        whole = text[: text.rfind("\n") + 1]
        self._say_lines(whole[self._shown :].splitlines())
        self._shown = max(self._shown, len(whole))

    def _tell_end(self, job: JobDetails) -> None:
        """What the job said at last, unless all of it has been shown."""
        name, well = job.submission_id or "", job.status == JobStatus.SUCCEEDED
        if self._bulletin is None:
            self._show_log(name)
        else:
            self._say_lines(self._log(name).splitlines()[-LAST_LINES[well] :])

    def _log(self, name: str) -> str:
        """What the job has printed; nothing while its server does not answer."""
        try:
            return self._server.log(name)
        except NoAnswer:
            return ""

    def _say_lines(self, lines: Iterable[str]) -> None:
        for line in said_by_moot(lines):
            self._say(f"  {line}")


def said_by_moot(lines: Iterable[str]) -> Iterator[str]:
    """Of the lines of a job's log those that Ray has not added."""
    return (line for line in lines if not any(each in line for each in SAID_BY_RAY))


def newest_claim(store: Store | None) -> str | None:
    """The last start of the run so far; None where there is none to be seen from here."""
    if store is None:
        return None
    try:
        return next(reversed(claim_ids(store)), None)
    except OSError:
        return None
