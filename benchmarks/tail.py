"""Long-tailed latencies: how long a run takes over the same schedule if only the latencies took time."""

from __future__ import annotations

import sys
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.machine import machine
from benchmarks.run import play, replies, span
from benchmarks.schedule import Steps, first_come, with_barrier
from benchmarks.study import SOME, write_synchronous
from ray_jobs.driver import handed_out, staffing

DEBATES = 1_000
IN_FLIGHT = 100
LATENCY = {"median": 1.0, "sigma": 1.0}


def main(debates: int = DEBATES) -> None:
    """Plays the debates and prints three makespans and their ratios."""
    print(f"## Long-tailed latencies\n\n{machine()}\n", flush=True)
    model = {"backend": "simulated", "latency": LATENCY, "in_flight": IN_FLIGHT}
    with tempfile.TemporaryDirectory() as folder:
        file = write_synchronous(Path(folder), model, repetitions=debates // SOME, limit=SOME)
        rows = replies(play(file), "debate_id", "step", "slot")
    played = steps_of(rows)
    _, places = staffing(IN_FLIGHT)
    took, ideal = span(rows), first_come(played, IN_FLIGHT, places, handed_out(places) - places)
    barrier = with_barrier(played, IN_FLIGHT)
    print(
        f"{len(played):,} synchronous debates, {len(rows):,} replies of lognormal latency (median"
        f" {LATENCY['median']:g} s, sigma {LATENCY['sigma']:g}), {IN_FLIGHT} in flight, took {took:.1f} s."
        f" The same schedule of the same latencies, computed without any overhead, takes {ideal:.1f} s:"
        f" **{took / ideal:.3f}** (goal at most 1.05). With a barrier after every round it would take"
        f" {barrier:.1f} s, {barrier / ideal:.2f} times as long."
    )


def steps_of(rows: list[dict[str, Any]]) -> list[Steps]:
    """The latencies of every debate by step and slot, the debates in the order in which they began."""
    first: dict[str, int] = {}
    for number, row in enumerate(rows):
        first.setdefault(row["debate_id"], number)
    rows = sorted(rows, key=lambda row: (first[row["debate_id"]], row["step"], row["slot"]))
    return [
        [[row["seconds"] for row in step] for _, step in groupby(debate, key=lambda row: row["step"])]
        for _, debate in groupby(rows, key=lambda row: row["debate_id"])
    ]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
