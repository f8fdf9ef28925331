"""A submission to its end: which ends are gone on from, what is told, and that nothing is started twice."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from ray.job_submission import JobErrorType, JobStatus

from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.submission import submit, watch
from ray_jobs.submission.order import Order
from ray_jobs.submission.outcome import Outcome
from ray_jobs.submission.submit import submit_experiment
from tests.ray_jobs.moot_runs import write_study
from tests.ray_jobs.submission.servers import Jobs, details

pytestmark = pytest.mark.long

WELL = {"status": JobStatus.SUCCEEDED, "driver_exit_code": 0}
KILLED = {"status": JobStatus.FAILED, "driver_exit_code": -9}
NODE_GONE = {"status": JobStatus.FAILED, "error_type": JobErrorType.JOB_SUPERVISOR_ACTOR_DIED.value}


def ended(code: int) -> dict[str, Any]:
    return {"status": JobStatus.FAILED, "driver_exit_code": code}


class Desk:
    """Submits one study to servers of choice, and keeps what is told."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        models = {"a": {"backend": "simulated"}}
        self.file = write_study(folder, 2, models=models, panels=[["a", "a"]], protocols=["synchronous"])
        self.out, self.told = str(folder / "run"), list[str]()
        self._patch = monkeypatch
        for module, name in ((watch, "LOOK_SECONDS"), (submit, "STALE_SECONDS")):
            monkeypatch.setattr(module, name, 0.0)

    def order(self, experiment: Experiment) -> Order:
        return Order(experiment, self.out)

    def submit(self, jobs: Jobs, attempts: int = 1, follow: bool = True) -> int:
        self._patch.setattr(submit, "JobServer", lambda _: jobs)
        return submit_experiment(self.file, self.order, None, attempts, follow, self.told.append)

    @property
    def text(self) -> str:
        return "\n".join(self.told)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("ends", "attempts", "code", "submitted"),
    [
        ([WELL], 3, 0, 1),
        ([KILLED, NODE_GONE, WELL], 3, 0, 3),
        ([None, WELL], 2, 0, 2),  # the head was started anew
        ([KILLED, KILLED], 2, 2, 2),
        ([KILLED], 1, 2, 1),
        ([ended(2)], 3, 2, 1),
        ([ended(3)], 3, 3, 1),
        ([KILLED, ended(4)], 3, 4, 2),
        ([ended(1)], 3, 2, 1),
        ([{"status": JobStatus.STOPPED}], 3, 130, 1),
        ([{"status": JobStatus.FAILED, "error_type": "RUNTIME_ENV_SETUP_FAILURE"}], 3, 2, 1),
    ],
)
def test_only_what_is_lost_is_submitted_again(
    desk: Desk, ends: list[dict[str, Any] | None], attempts: int, code: int, submitted: int
) -> None:
    jobs = Jobs(*ends)
    assert desk.submit(jobs, attempts) == code
    assert len(jobs.sent) == submitted


def test_what_a_job_prints_is_told_and_what_ray_adds_is_not(desk: Desk) -> None:
    desk.submit(Jobs(WELL))
    assert desk.told.count("  said by the run") == 1
    assert "Running entrypoint" not in desk.text


def test_how_a_job_was_lost_is_told_and_what_to_do(desk: Desk) -> None:
    desk.submit(Jobs(KILLED))
    assert "the driver was ended from outside, with exit code -9" in desk.text
    assert "the same command goes on; --max-attempts N does so by itself" in desk.text


def test_a_second_submission_follows_the_first_and_a_later_one_is_another_attempt(desk: Desk) -> None:
    jobs = Jobs(WELL, WELL)
    assert desk.submit(jobs, follow=False) == 0
    assert "ray job logs moot-study-" in desk.text
    assert desk.submit(jobs) == 0
    assert len(jobs.known) == 1
    assert "plays this already; nothing new is submitted" in desk.text
    assert desk.submit(jobs) == 0
    assert len(jobs.known) == 2


def test_of_two_submissions_at_once_the_second_follows_the_first(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second has looked before the first submitted."""
    jobs = Jobs(WELL)
    assert desk.submit(jobs, follow=False) == 0
    late, blind = jobs.jobs, iter([True])
    monkeypatch.setattr(jobs, "jobs", lambda: [] if next(blind, False) else late())
    assert desk.submit(jobs) == 0
    assert len(jobs.known) == 1
    assert "plays this already; nothing new is submitted" in desk.text


def test_a_run_that_another_job_plays_is_refused(desk: Desk) -> None:
    jobs = Jobs()
    jobs.known["moot-x-1"] = details("moot-x-1", JobStatus.PENDING, metadata={"run": desk.out})
    with pytest.raises(
        ExperimentError, match=r"is being played by the job moot-x-1, .* ray job stop moot-x-1"
    ):
        desk.submit(jobs)


def test_an_interrupt_ends_the_following_and_not_the_job(desk: Desk) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    jobs = Jobs(before=interrupt)
    assert desk.submit(jobs) == 130
    assert [job.status for job in jobs.jobs()] == [JobStatus.RUNNING]
    assert "the job goes on" in desk.text
    assert "to end it: ray job stop moot-study-" in desk.text


def test_further_attempts_need_somebody_who_follows(desk: Desk) -> None:
    with pytest.raises(ExperimentError, match="--max-attempts needs somebody who follows"):
        desk.submit(Jobs(), attempts=2, follow=False)


def test_a_folder_that_holds_something_else_is_refused_before_anything_is_sent(desk: Desk) -> None:
    Path(desk.out).mkdir()
    (Path(desk.out) / "notes.txt").write_text("mine")
    with pytest.raises(ExperimentError, match="holds files but no run of moot"):
        desk.submit(jobs := Jobs())
    assert jobs.sent == []


def test_keys_are_named_and_never_sent(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-secret")
    remote = {"backend": "openai", "model": "far", "base_url": "http://far/v1", "key": "SOME_KEY"}
    study = yaml.safe_load(desk.file.read_text())
    desk.file.write_text(yaml.safe_dump({**study, "models": {"a": remote}}))
    jobs = Jobs(WELL)
    desk.submit(jobs)
    assert "the key of 'a' is read from SOME_KEY in the environment of the cluster's nodes" in desk.text
    assert "sk-secret" not in repr(jobs.sent)


def outcome_of(**known: Any) -> Outcome:
    return Outcome.of(details("job", **known))


@pytest.mark.parametrize("error", list(JobErrorType))
def test_every_end_has_a_reason(error: JobErrorType) -> None:
    outcome = outcome_of(status=JobStatus.FAILED, error_type=error.value, message="because\nof much")
    assert outcome.code == 2
    assert outcome.why.endswith("because")
