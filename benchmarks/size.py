"""Studies of simulated agents through the whole path: how fast, and how much memory, by their size."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pyarrow.dataset as ds

from benchmarks.machine import machine
from benchmarks.processes import Processes
from benchmarks.run import replies, span
from benchmarks.study import write_study

SIZES = (1_000, 10_000, 100_000)
HEADING = """\
Two models of simulated agents without latency, synchronous and round-robin, at most 4 rounds; every reply
goes through agents and moderators on Ray into log and tables. Replies per second are from the first ask to
the last reply, wall time is that of the whole command, with Ray's start. Memory is the peak of resident
megabytes.

| debates | replies | replies/s | wall time, s | driver, MB | moderators, MB | agents, MB |
|---|---|---|---|---|---|---|"""


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
        with Processes(process.pid) as processes:
            if process.wait() != 0:
                raise SystemExit(f"the run of {debates} debates failed")
        seconds = time.monotonic() - began
        rows = replies(out)
        played = ds.dataset(out / "tables" / "debates").count_rows()
    return Figures(played, len(rows), seconds, len(rows) / span(rows), processes.peak)


def row(figures: Figures) -> str:
    """A row of the table."""
    of_run = [figures.debates, figures.replies, figures.rate, figures.seconds]
    peaks = [figures.peak[kind] for kind in ("driver", "moderators", "agents")]
    return "| " + " | ".join(f"{figure:,.0f}" for figure in of_run + peaks) + " |"


def main(*sizes: int) -> None:
    """Measures every size in turn and prints the table."""
    print(f"## Size\n\n{machine()}\n\n{HEADING}", flush=True)
    for size in sizes or SIZES:
        print(row(measure(size)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
