"""Runs on an object store from file to tables: killed and gone on with, through an outage, then shown."""

from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from analysis import counting
from analysis.render import render
from analysis.summary import Summary, summarise
from ray_jobs.connection import connected
from ray_jobs.open_log import OpenLog, segments
from ray_jobs.store import Store
from tests.ray_jobs.moot_runs import (
    ENVIRONMENT,
    check_as_played_here,
    check_whole,
    kill_group,
    moot,
    start,
    table,
    wait_until,
    write_study,
)
from tests.ray_jobs.object_store import CREDENTIALS, ObjectServer

pytestmark = [pytest.mark.ray, pytest.mark.fault, pytest.mark.timeout(480)]

PATIENCE = 120.0  # seconds until the first flush: a claim settles, Ray starts, models open, a flush is due
OUTAGE = 12.0  # seconds: longer than a client of S3 waits for an answer, and than it tries again by itself


def test_a_run_on_an_object_store_outlives_a_kill_and_an_outage(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its tables are as if nothing had been; it is told of and shown as one in a folder is."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setitem(ENVIRONMENT, name, value)
    run = server.address()
    file, store = write_slow(tmp_path), Store(run)

    killed = start("run", file, "--out", run)
    wait_until(lambda: bool(segments(store)), lambda: "nothing comes into the log", PATIENCE)
    assert f"{run} is being played by process {killed.pid}" in told("status", run)
    kill_group(killed)
    kept = OpenLog(store).replies
    assert kept

    with (tmp_path / "told").open("wb") as output:
        continued = start("run", file, "--out", run, told=output)
        before = segments(store)
        wait_until(lambda: segments(store) != before, lambda: "nothing is played", PATIENCE)
        server.halt(OUTAGE)
        assert continued.wait(200) == 0, (tmp_path / "told").read_text()
    assert segments(store) == []
    check_whole(run, file)
    check_as_played_here(run, file)
    assert len({row["claim"] for row in table(run, "replies")}) == 2, "what was in the log is not asked again"

    assert "is finished; started 2 times" in told("status", run)
    shown = moot("show", run).stdout
    assert shown.startswith(printed(summarise(run)))
    [line] = [line for line in shown.splitlines() if line.startswith("A debate to read: moot show ")]
    assert f"moot show '{run}' " in line
    assert "Story" in told("show", run, line.split()[-1])
    monkeypatch.setattr(counting, "COUNTED_HERE", 0)
    assert shown.startswith(printed(summarise(run, connect=partial(connected, None)))), "over Ray Data"


def write_slow(folder: Path) -> Path:
    """About 40 seconds of play."""
    model = {"backend": "simulated", "latency": {"median": 1.0, "sigma": 0.3}, "in_flight": 8}
    design = {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"], "repetitions": 2}
    return write_study(folder, 25, models={"a": model, "b": model}, seed=3, **design)


def told(*words: object) -> str:
    """What the command prints, however it breaks its lines."""
    return " ".join(moot(*words).stdout.split())


def printed(of: Summary) -> str:
    console = Console(width=120, force_terminal=False)
    with console.capture() as text:
        console.print(render(of))
    return text.get()


def test_a_store_that_is_not_there_ends_a_run_before_it_begins(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setitem(ENVIRONMENT, name, value)
    file = write_slow(tmp_path)
    nobody = "s3://bucket/run?endpoint_override=127.0.0.1:1&scheme=http"
    for words, says in (
        (["run", file, "--out", server.in_bucket("none")], "found no bucket 'none'; create it"),
        (["run", file, "--out", nobody], "cannot be reached: "),
        (["status", nobody], "cannot be reached: "),
        (["show", server.in_bucket("none")], "found no bucket 'none'; create it"),
    ):
        refused = moot(*words, code=2).stderr
        assert refused.startswith("error: ")
        assert says in refused
