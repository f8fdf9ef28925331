"""A job is followed by the bulletins of its own start of the run, else by what it prints."""

import time
from pathlib import Path

import pytest
from ray.job_submission import JobStatus

from ray_jobs.bulletin import Bulletin, post
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store
from ray_jobs.submission import watch
from ray_jobs.submission.job_server import NoAnswer
from ray_jobs.submission.watch import Watch, newest_claim
from tests.ray_jobs.submission.servers import Jobs, details

WELL = {"status": JobStatus.SUCCEEDED}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A run directory that was begun once, with a bulletin of that time."""
    monkeypatch.setattr(watch, "LOOK_SECONDS", 0.0)
    store = Store(str(tmp_path / "run"))
    store.write("claims/first.json", b"{}")
    tell(store, "first", "1 of 9")
    return store


def tell(store: Store, claim: str, line: str) -> None:
    post(store, Bulletin(claim, time.time(), line, {}, [], [], left="soon", stopped={"m": "no credit"}))


def running(jobs: Jobs) -> Jobs:
    jobs.known["job"] = details("job", JobStatus.RUNNING)
    return jobs


def test_what_this_start_tells_is_told_and_what_an_earlier_one_did_is_not(run: Store) -> None:
    said: list[str] = []
    jobs = running(Jobs(WELL, before=lambda: tell(run, "second", "5 of 9")))
    job = Watch(jobs, run, newest_claim(run), said.append).until_ended("job")  # type: ignore[arg-type]
    assert job is not None
    assert job.status == JobStatus.SUCCEEDED
    assert said == [
        "job: running",
        "  said by the run",
        "job: succeeded",
        "5 of 9 · soon",
        "model 'm' answers nothing more in this run: no credit",
        "  said by the run",
    ]


def test_who_joins_a_job_sees_how_it_stands(run: Store) -> None:
    said: list[str] = []
    Watch(running(Jobs(WELL)), run, None, said.append).until_ended("job")  # type: ignore[arg-type]
    assert "1 of 9 · soon" in said


def test_without_the_run_directory_each_line_of_the_log_is_told_once(run: Store) -> None:
    said: list[str] = []
    Watch(running(Jobs(WELL)), None, None, said.append).until_ended("job")  # type: ignore[arg-type]
    assert said == ["job: running", "  said by the run", "job: succeeded"]


def test_a_silent_server_is_borne_for_a_while(run: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two looks fail; then it is there again, or is given up."""
    silences = [NoAnswer("x does not answer"), NoAnswer("x does not answer")]

    class Faltering(Jobs):
        def job(self, name: str) -> object:  # type: ignore[override]
            if silences:
                raise silences.pop()
            return super().job(name)

    jobs = running(Faltering(WELL))
    assert Watch(jobs, None, None, lambda _: None).until_ended("job") is not None  # type: ignore[arg-type]
    monkeypatch.setattr(watch, "SILENT_SECONDS", -1.0)
    silences.append(NoAnswer("x does not answer"))
    with pytest.raises(ExperimentError, match=r"x does not answer\. It has been silent for 0 s"):
        Watch(jobs, None, None, lambda _: None).until_ended("job")  # type: ignore[arg-type]
