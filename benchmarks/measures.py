"""All measures of a run: seconds and memory, for the published design and for a million turns."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import duckdb
import ray

from analysis.counting import tallied
from analysis.courses import read
from analysis.measures import distribution
from analysis.measures.catalogue import COUNTED, verdict_measures
from analysis.reliability.measure import reliability
from analysis.report.values import BY
from analysis.values.measure import Choices, measure_values
from analysis.values.places import read_labels
from benchmarks.machine import machine
from benchmarks.processes import Processes
from benchmarks.published import write_published

REPETITIONS = (1, 18)
"""Of the published design: once, and so often that there are a million turns."""

HEADING = """\
The published design of the study of interaction protocols (15,000 debates of 1,000 dilemmas, every turn
labelled twice with up to five of 48 values) made up as tables, and the same with repetitions to a million
turns. Verdicts: all measures of verdicts from counting to intervals; values: all measures of values, and the
reliability of labels. Memory is the peak of resident megabytes of the process and all that it starts.

| debates | turns | verdicts, s | values, s | all, s | memory, MB |
|---|---|---|---|---|---|"""

MEAN = """\
select protocol, panel, "order", model, round, avg((label = 'NTA')::int)
from read_parquet('{run}/tables/turns/*.parquet') group by all"""


def measure(run: Path) -> None:
    """Measures a run and prints the seconds: of verdicts, of values."""
    began = time.monotonic()
    verdict_measures(run, connect=_here)
    between = time.monotonic()
    labels = read_labels(run)
    measure_values(run, labels, Choices(by=BY), _here)
    for each in labels:
        reliability(each)
    print(between - began, time.monotonic() - between)


def row(folder: Path, repetitions: int) -> str:
    """A row of the table, measured in a process of its own."""
    turns = write_published(folder, repetitions, values=_values())
    command = [sys.executable, "-m", "benchmarks.measures", "--measure", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with Processes(process.pid) as processes:
        said, _ = process.communicate()
        if process.returncode != 0:
            raise SystemExit(f"measuring {turns:,} turns failed")
    verdicts, values = map(float, said.splitlines()[-1].split())
    figures = [15_000 * repetitions, turns]
    return (
        f"| {figures[0]:,} | {figures[1]:,} | {verdicts:.1f} | {values:.1f} | {verdicts + values:.1f} |"
        f" {processes.peak_of_all:,.0f} |"
    )


def against_duckdb(folder: Path) -> str:
    """One grouped mean by DuckDB and by us, each in the better of three tries."""
    theirs = min(_timed(lambda: duckdb.sql(MEAN.format(run=folder)).fetchall()) for _ in range(3))
    ours = min(_timed(lambda: distribution.estimate(read(tallied(folder, COUNTED, _here)))) for _ in range(3))
    return (
        f"One grouped mean, the share of each verdict by condition and model: DuckDB {theirs:.2f} s without"
        f" intervals, ours {ours:.2f} s from counting to 10,000 draws: {ours / theirs:.0f} times as long."
    )


def main(*arguments: str) -> None:
    """Measures both sizes and prints the table, or one run with `--measure RUN`."""
    if arguments[:1] == ("--measure",):
        measure(Path(arguments[1]))
        return
    print(f"## Measures\n\n{machine()}\n\n{HEADING}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for repetitions in REPETITIONS:
            print(row(Path(folder, str(repetitions)), repetitions), flush=True)
        print(f"\n{against_duckdb(Path(folder, str(REPETITIONS[0])))}", flush=True)


@contextmanager
def _here() -> Iterator[None]:
    """Ray on this machine, without a dashboard."""
    ray.init(address="local", include_dashboard=False, log_to_driver=False)
    try:
        yield
    finally:
        ray.shutdown()


def _values() -> list[str]:
    """The names of the 48 values."""
    lines = files("protocols.values").joinpath("values_48.csv").read_text("utf-8").splitlines()
    return [line.split(",")[0] for line in lines[1:]]


def _timed(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


if __name__ == "__main__":
    main(*sys.argv[1:])
