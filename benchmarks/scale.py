"""What one moderator, one agent and the tables sustain: many asks in flight with stated latencies."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from benchmarks.machine import machine
from benchmarks.processes import Processes
from benchmarks.run import replies
from benchmarks.study import SOME, write_synchronous
from ray_jobs.driver import staffing

RUNS = ((1_000, 1), (4_000, 1), (8_000, 1), (8_000, 32))  # asks in flight, over so many agents
PER_SECOND = 400  # replies that the latency is chosen for: more than half of what two cores sustain
WAVES = 8  # replies of each ask in flight, one after the other
KINDS = ("moderators", "agents", "driver")
HEADING = """\
One model of simulated agents debates with itself, synchronous, four rounds at most; latencies are lognormal
(sigma 0.5) with the median that makes about {rate} replies a second. Replies per second and CPU are those of
the middle half of the time; of ideal: over asks in flight by mean latency. Bytes are those of all tables,
after compression; replies have about 210 characters.

| in flight | agents | moderators | median latency, s | replies | replies/s | of ideal | moderators, ms of CPU a reply | agents, ms | driver, ms | moderators, MB | agents, MB | driver, MB | bytes a reply |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class Figures:
    """One run: CPU in milliseconds a reply and peak megabytes, by `KINDS`."""

    in_flight: int
    agents: int
    latency: float
    count: int
    rate: float
    ideal: float
    cpu: Sequence[float]
    peak: Sequence[float]
    bytes_each: float


def measure(in_flight: int, agents: int) -> Figures:
    """Plays a run with so many asks in flight over so many agents."""
    latency = in_flight / PER_SECOND
    model = {
        "backend": "simulated",
        "in_flight": in_flight // agents,
        "replicas": agents,
        "latency": {"median": latency, "sigma": 0.5},
    }
    with tempfile.TemporaryDirectory() as folder:
        repetitions = max(1, in_flight * WAVES // (SOME * 4))
        file, out = write_synchronous(Path(folder), model, repetitions, limit=SOME), Path(folder, "run")
        process = subprocess.Popen(
            [sys.executable, "-m", "ray_jobs.run", str(file), "--out", str(out)], stdout=subprocess.DEVNULL
        )
        with Processes(process.pid) as processes:
            if process.wait() != 0:
                raise SystemExit(f"the run with {in_flight:,} asks in flight failed")
        rows = replies(out)
        stored = sum(part.stat().st_size for part in (out / "tables").rglob("*.parquet"))
    first, last = rows[0]["asked"], max(row["ended"] for row in rows)
    begin, end = first + (last - first) / 4, last - (last - first) / 4
    middle = [row for row in rows if begin <= row["ended"] < end]
    used = processes.cpu(begin, end)
    rate = len(middle) / (end - begin)
    return Figures(
        in_flight,
        agents,
        latency,
        len(rows),
        rate,
        rate * fmean(row["seconds"] for row in rows) / in_flight,
        [1000 * used.get(kind, 0.0) / len(middle) for kind in KINDS],
        [processes.peak.get(kind, 0.0) for kind in KINDS],
        stored / len(rows),
    )


def row(found: Figures) -> str:
    """A row of the table."""
    moderators, _ = staffing(found.in_flight)
    cells = [
        f"{found.in_flight:,}",
        f"{found.agents}",
        f"{moderators}",
        f"{found.latency:.1f}",
        f"{found.count:,}",
        f"{found.rate:.0f}",
        f"{found.ideal:.2f}",
        *(f"{ms:.2f}" for ms in found.cpu),
        *(f"{megabytes:,.0f}" for megabytes in found.peak),
        f"{found.bytes_each:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def main(*chosen: int) -> None:
    """Measures each of `RUNS`, or the one with so many asks in flight over so many agents."""
    print(f"## Scale\n\n{machine()}\n\n{HEADING.format(rate=PER_SECOND)}", flush=True)
    for run in [chosen] if chosen else RUNS:
        print(row(measure(*run)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
