"""Whatever is killed, and whenever: the run goes on from there, and its tables are as if nothing had been."""

import random
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from ray_jobs.open_log import OpenLog
from ray_jobs.store import Store
from tests.ray_jobs.moot_runs import (
    alive,
    check_as_played_here,
    check_whole,
    family,
    kill_group,
    moot,
    start,
    table,
    wait_until,
    write_study,
)

pytestmark = [pytest.mark.ray, pytest.mark.fault]

SLOW: dict[str, Any] = {"backend": "simulated", "latency": {"median": 0.3, "sigma": 0.5}, "in_flight": 6}


def logged(run: Path) -> int:
    """Bytes in the log."""
    return sum(segment.stat().st_size for segment in run.glob("log/*/*.arrow"))


def under_way(run: Path, process: subprocess.Popen[bytes]) -> None:
    """Returns once this start has written to the log."""
    before = logged(run)
    wait_until(lambda: logged(run) > before, lambda: f"nothing is played; exit code {process.poll()}")


def test_a_run_killed_three_times_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    run, moments = tmp_path / "run", random.Random(11)
    designs = [
        {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"]},
        {"panels": [["b", "a", "a"]], "protocols": ["synchronous"]},
    ]
    file = write_study(tmp_path, 28, models={"a": SLOW, "b": SLOW}, designs=designs)
    for _ in range(3):
        process = start("run", file, "--out", run)
        under_way(run, process)
        time.sleep(moments.uniform(0.2, 1.5))
        kill_group(process)
    claims = {row["claim"] for row in open_rows(run)}
    assert len(claims) == 3, "every start got something done, and none of it is lost"
    moot("run", file, "--out", run)
    check_whole(run, file)
    check_as_played_here(run, file)
    assert claims < {row["claim"] for row in table(run, "replies")}


def open_rows(run: Path) -> list[dict[str, Any]]:
    """Every row of the log."""
    log = OpenLog(Store(str(run)))
    return [row for debate_id in list(log._places) for row in log.rows(debate_id)]


def test_an_actor_that_dies_ends_the_run_with_a_message_and_the_run_goes_on(tmp_path: Path) -> None:
    """Exit code 2 and no traceback, and nothing stays behind."""
    run = tmp_path / "run"
    file = write_study(tmp_path, 40, models={"a": SLOW}, panels=[["a", "a"]], protocols=["synchronous"])
    for actor in ("ray::Agent", "ray::Moderator"):
        with (tmp_path / "told").open("wb") as told:
            process = start("run", file, "--out", run, told=told)
            under_way(run, process)
            members = family(process)
            next(member for member in members if actor in name(member)).kill()
            assert process.wait(60) == 2
        message = (tmp_path / "told").read_text()
        assert "error: " in message
        assert "Traceback" not in message
        wait_until(lambda members=members: not any(map(alive, members)), lambda: "processes are left")
    moot("run", file, "--out", run)
    check_whole(run, file)
    check_as_played_here(run, file)


def name(process: psutil.Process) -> str:
    """What the process calls itself; Ray's actors tell their class in it."""
    return " ".join(process.cmdline())
