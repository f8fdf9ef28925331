"""Plays studies of simulated agents through the whole path, and writes what it took."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.continuing import MILLION, continuing
from benchmarks.memory import Memory
from benchmarks.overlap import overlap
from benchmarks.study import write_study

RESULTS = Path("benchmarks/results.md")
SIZES = (1_000, 10_000, 100_000)
HEADING = """\
# Results of `make bench`

Two models of simulated agents without latency, synchronous and round-robin, at most 4 rounds; every reply
goes through agents and moderators on Ray into log and tables. Replies per second are from the first reply to
the last, wall time is that of the whole command, with Ray's start. Memory is the peak of resident megabytes.

| debates | replies | replies/s | wall time, s | driver, MB | moderators, MB | agents, MB |
|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run took: seconds in all, replies per second while it played, peak megabytes by process."""

    debates: int
    replies: int
    seconds: float
    rate: float
    peak: dict[str, float]


def measure(debates: int) -> Figures:
    """Plays a study of about so many debates in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = write_study(Path(folder), debates), Path(folder, "run")
        began = time.monotonic()
        process = subprocess.Popen([sys.executable, "-m", "ray_jobs.run", str(file), "--out", str(out)])
        with Memory(process.pid) as memory:
            if process.wait() != 0:
                raise SystemExit(f"the run of {debates} debates failed")
        seconds = time.monotonic() - began
        times = ds.dataset(out / "tables" / "replies").to_table(["time"])["time"].to_pylist()
        played = ds.dataset(out / "tables" / "debates").count_rows()
    rate = len(times) / (max(times) - min(times)).total_seconds()
    return Figures(played, len(times), seconds, rate, memory.peak)


def main() -> None:
    """Measures every size in turn and writes the table."""
    lines = HEADING.splitlines()
    for size in SIZES:
        lines.append(row(measure(size)))
        print(lines[-1], flush=True)
    for told in (
        partial(continuing, MILLION, judged=False),
        partial(continuing, MILLION, judged=True),
        overlap,
    ):
        lines += ["", told()]
        print(lines[-1], flush=True)
    RESULTS.write_text("\n".join(lines) + "\n", "utf-8")


def row(figures: Figures) -> str:
    """A row of the table."""
    of_run = [figures.debates, figures.replies, figures.rate, figures.seconds]
    peaks = [figures.peak[kind] for kind in ("driver", "moderators", "agents")]
    return "| " + " | ".join(f"{figure:,.0f}" for figure in of_run + peaks) + " |"


if __name__ == "__main__":
    main()
