"""`moot status` tells from the run directory alone who plays, what has ended, and what would be continued."""

import time
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from ray_jobs import bulletin, lease
from ray_jobs.bulletin import Bulletin
from ray_jobs.case_table import add_cases
from ray_jobs.line import AskFailed
from ray_jobs.located import ExperimentError
from ray_jobs.log import Log
from ray_jobs.parts import Parts, write_batch
from ray_jobs.playing import failure_rows
from ray_jobs.run_directory import claim_id, claim_run
from ray_jobs.status_page import show_status
from ray_jobs.store import Store
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study


def told(run: Path) -> str:
    page = StringIO()
    show_status(str(run), Console(width=120, file=page))
    return page.getvalue()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Of five debates two are finished, one has failed, and the replies of one are in the log."""
    store = Store(str(tmp_path))
    experiment = study(panels=[["a", "b"]], protocols=["synchronous"], rounds=2)
    claim_run(store, experiment, claim_id())
    add_cases(store, case_rows(5), {"run_id": "r"}, "cases")
    one, two, three, four, _ = played(experiment, case_rows(5))
    parts, log = Parts("w"), Log(store, "w")
    failed = failure_rows(three["debates"][0], AskFailed("seat1", "PromptTooLong", "too long", 0.0))
    for rows in (one, two, failed):
        parts.add(rows, 0.0)
    write_batch(store, parts.take())
    for row in [*one["replies"], *four["replies"]]:
        log.append(row)
    log.close()
    return tmp_path


def test_progress_failures_and_the_log(run: Path) -> None:
    """The log's rows of a debate that is in the tables do not count."""
    text = " ".join(told(run).split())
    assert "is not being played now; started once" in text
    assert "synchronous a+b 1-2 default text 2 5" in text
    assert "Failed: 1 PromptTooLong" in text
    assert "replies of 1 open debates" in text


def test_who_plays_and_what_is_waited_for(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "SETTLE_SECONDS", {True: 0.0, False: 0.0})
    store = Store(str(run))
    words = Bulletin(
        "c", time.time(), "2 of 5", {"a": {"calls": 4.0}}, ["replica 0 of b"], ["debate 12ab waits"]
    )
    bulletin.post(store, words)
    with lease.lease(store, claim_id()):
        playing = told(run)
    assert "is being played by process" in playing
    for line in (
        "2 of 5",
        "a: 4 calls since that start",
        "being started again: replica 0 of b",
        "debate 12ab waits",
    ):
        assert line in playing
    assert "debate 12ab waits" not in told(run), "nobody waits when nobody plays"


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ExperimentError, match="found no run of moot"):
        told(tmp_path)
