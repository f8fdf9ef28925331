"""What it takes to go on with a run of many finished debates, before anything is played."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema
from benchmarks.machine import machine
from benchmarks.study import write_study
from ray_jobs.debate import Debates
from ray_jobs.ended import Ended, extents
from ray_jobs.experiment import load_experiment
from ray_jobs.parts import part_name
from ray_jobs.plan import Plan
from ray_jobs.recovery import recover
from ray_jobs.store import Store

MILLION = 1_000_000
PART_DEBATES = 20_000
KINDS = {"debate": "debates", "judged": "judgments"}
ROWS = {"debates": 1, "turns": 3, "replies": 3}  # of a debate


def continuing(debates: int, judged: bool) -> str:
    """In words: seconds and further megabytes until it is known that nothing is left of so many debates.

    With `judged`, half of them are judgments of the others.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = write_study(Path(folder), debates // 2 if judged else debates, judged=judged)
        _write_ended(Store(folder), _plan(file))
        command = [sys.executable, "-m", "benchmarks.continuing", str(file)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def go_on(file: Path) -> str:
    """Finds in a process of its own, whose peak memory tells, that nothing is left to play."""
    plan, store = _plan(file), Store(str(file.parent))
    before, began = _megabytes(), time.monotonic()
    warnings = list(recover(store))
    far = list(extents(plan, plan.debates(), Ended.of(store)))
    seconds, more = time.monotonic() - began, _megabytes() - before
    left = sum(len(extent.left) for extent in far)
    if left or warnings:
        raise SystemExit(f"{left} debates are left and {len(warnings)} warnings told; expected none")
    what = " and ".join(f"{extent.ended:,} finished {KINDS[extent.stage]}" for extent in far)
    return f"Going on with a run of {what} took {seconds:.1f} s and {more:,.0f} MB more."


def _plan(file: Path) -> Plan:
    return Plan(load_experiment(file), [f"case-{number}" for number in range(25)])


def _write_ended(store: Store, plan: Plan) -> None:
    debates = plan.debates()
    _write_stage(store, debates, "agree")
    for stage in plan.following(debates.stage):
        _write_stage(store, plan.onward(stage, debates), "judgment")


def _write_stage(store: Store, debates: Debates, standing: str) -> None:
    ids = [f"{number:016x}" for number in debates.numbers.tolist()]
    for table, rows in ROWS.items():
        Path(store.path(f"tables/{table}")).mkdir(parents=True, exist_ok=True)
        for start in range(0, len(ids), PART_DEBATES):
            part = [each for each in ids[start : start + PART_DEBATES] for _ in range(rows)]
            known = {"debate_id": part, "standing": [standing] * len(part)}
            columns = [
                pa.array(known[field.name]) if field.name in known else pa.nulls(len(part), field.type)
                for field in schema(table)
            ]
            path = store.path(part_name(table, f"bench-{debates.stage}-{start:09d}"))
            pq.write_table(pa.table(columns, schema=schema(table)), path)


def _megabytes() -> float:
    """The most that this process has held so far."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def main() -> None:
    """Prints what it takes for debates, and for debates with judgments."""
    print(f"## Going on\n\n{machine()}")
    for judged in (False, True):
        print(f"\n{continuing(MILLION, judged)}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        print(go_on(Path(sys.argv[1])))
