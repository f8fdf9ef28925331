"""Runs of the moot command in a process of their own, and what they leave behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from analysis.schema import schema
from protocols.columns import TABLES
from ray_jobs.cases import load_cases
from ray_jobs.experiment import load_experiment
from ray_jobs.log import Row
from ray_jobs.plan import Plan
from ray_jobs.store import Store
from tests.ray_jobs.plays import played, steady

MOOT = [sys.executable, "-c", "from ray_jobs.cli import main; main()"]
os.environ["RAY_AUTH_MODE"] = "disabled"  # as all tests have it, for campaigns too, which are none
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
PATIENCE = 60.0  # seconds for processes to end that have been told to


def write_study(folder: Path, cases: int, /, **keys: Any) -> Path:
    """An experiment file of these keys, and its cases beside it."""
    lines = [
        json.dumps({"id": f"case{n}", "title": f"Title {n}", "text": f"Story {n}."})
        for n in range(1, cases + 1)
    ]
    (folder / "cases.jsonl").write_text("\n".join(lines))
    file = folder / "study.yaml"
    file.write_text(
        yaml.safe_dump({"name": "study", "cases": {"file": "cases.jsonl"}, **keys}, sort_keys=False)
    )
    return file


def moot(*words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs the command and requires this exit code."""
    command = [*MOOT, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT, timeout=280)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
    return done


def start(*words: object, told: BinaryIO | int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """Starts the command in a session of its own; what it prints goes to `told`."""
    command = [*MOOT, *map(str, words)]
    return subprocess.Popen(command, env=ENVIRONMENT, start_new_session=True, stdout=told, stderr=told)


def family(number: int) -> list[psutil.Process]:
    """The process of this number and all that it has started.

    By the ids of parents alone: psutil's own list also compares times, which move when the clock is set.
    """
    started: dict[int, list[psutil.Process]] = {}
    for one in psutil.pids():
        with suppress(psutil.NoSuchProcess):
            each = psutil.Process(one)
            started.setdefault(each.ppid(), []).append(each)
    found = [psutil.Process(number)]
    for each in found:
        found += started.get(each.pid, [])
    return found


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kills the process group without warning, and waits until nothing that it had started is left."""
    members = family(process.pid)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(map(alive, members)), lambda: f"still running: {list(filter(alive, members))}")


def alive(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def wait_until(true: Callable[[], bool], otherwise: Callable[[], str], patience: float = PATIENCE) -> None:
    """Returns once it is `true`; fails with what `otherwise` says when it does not come to be."""
    end = time.monotonic() + patience
    while not true():
        assert time.monotonic() < end, otherwise()
        time.sleep(0.05)


def parts(run: Path) -> dict[str, bytes]:
    """Every part by its name."""
    return {str(part.relative_to(run)): part.read_bytes() for part in sorted(run.glob("tables/*/*.parquet"))}


def table(run: Path | str, name: str) -> list[Row]:
    """All rows of a table of the run in a folder or at an address; every part must have its full schema."""
    rows: list[Row] = []
    store = Store(str(run))
    for part in store.names(f"tables/{name}"):
        opened = pq.read_table(pa.BufferReader(store.read(part)))
        assert opened.schema.equals(schema(name)), part
        rows += opened.to_pylist()
    return rows


def check_whole(run: Path | str, file: Path) -> None:
    """The run holds every debate of the plan once and nothing else, its tables agree, its log is empty.

    With all that follows from these debates, but nothing more.
    """
    experiment = load_experiment(file)
    cases = load_cases(experiment)
    planned = Counter(debate.debate_id for debate in Plan(experiment, [case.id for case in cases]))
    debates, replies, turns = (table(run, name) for name in ("debates", "replies", "turns"))
    found = Counter(row["debate_id"] for row in debates)
    assert planned <= found
    assert max(found.values()) == 1
    assert (found == planned) != bool(experiment.stages)
    assert Counter(row["debate_id"] for row in replies) == {row["debate_id"]: row["calls"] for row in debates}
    said = [row for row in replies if row["kind"] == "turn"]
    assert places(said) == places(row for row in turns if not row["opening"])
    assert len(set(places(said))) == len(said)
    assert [row["case_id"] for row in table(run, "cases")] == [case.id for case in cases]
    assert len({row["run_id"] for name in TABLES for row in table(run, name)}) == 1
    assert Store(str(run)).names("log") == []


def places(rows: Iterable[Row]) -> list[tuple[object, ...]]:
    """Where each row stands within the run."""
    names = ("debate_id", "round", "position", "seat", "model")
    return sorted(tuple(row[name] for name in names) for row in rows)


def check_as_played_here(run: Path | str, file: Path) -> None:
    """The tables are, but for times and claims, those of the same debates played one by one without Ray."""
    for name, rows in expected_tables(file, file.read_text()).items():
        assert steady(table(run, name), name) == rows


@lru_cache(maxsize=1)
def expected_tables(file: Path, text: str) -> dict[str, list[Row]]:
    """The steady rows of the experiment in `file`, whose text this is, played here."""
    experiment = load_experiment(file)
    debates = played(experiment, load_cases(experiment))

    def complete(name: str) -> Iterator[Row]:
        empty = dict.fromkeys(schema(name).names)
        return ({**empty, **row} for rows in debates for row in rows.get(name, ()))

    return {name: steady(complete(name), name) for name in ("replies", "turns", "judgments", "debates")}
