"""What the end of a job means: the exit code of the command, and whether going on can mend it."""

from __future__ import annotations

from dataclasses import dataclass

from ray.dashboard.modules.job.pydantic_models import JobDetails
from ray.job_submission import JobErrorType, JobStatus

TOLD = {0: "", 2: "", 3: "", 4: "", 130: "it was interrupted"}
"""Exit codes of `moot run`, which speaks for itself: going on by itself would not change them."""

UNSTARTED = {
    JobErrorType.RUNTIME_ENV_SETUP_FAILURE,
    JobErrorType.JOB_SUPERVISOR_ACTOR_START_TIMEOUT,
    JobErrorType.JOB_SUPERVISOR_ACTOR_UNSCHEDULABLE,
}
"""Jobs that were never begun, for a reason that would be there for the next one too."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended: the exit `code` for it, and `why` where moot itself has not said it.

    A job that is `lost` was broken off from outside; another one goes on with its run.
    """

    code: int
    why: str = ""
    lost: bool = False

    @classmethod
    def of(cls, job: JobDetails | None) -> Outcome:
        """Of a job that has ended; None of one that the cluster does not know any more."""
        if job is None:
            return cls(2, "the cluster does not know the job any more: its head was started anew", lost=True)
        if job.status == JobStatus.SUCCEEDED:
            return cls(0)
        if job.status == JobStatus.STOPPED:
            return cls(130, "the job was stopped")
        code, message = job.driver_exit_code, (job.message or "no reason is known").splitlines()[0]
        if code in TOLD:
            return cls(code, TOLD[code])
        if code == 1:
            return cls(2, "the driver failed with an error that moot does not know; it stands in the log")
        if code is not None:
            return cls(2, f"the driver was ended from outside, with exit code {code}", lost=True)
        lost = job.error_type not in UNSTARTED
        return cls(2, f"{'the driver is lost' if lost else 'the job did not start'}: {message}", lost)
