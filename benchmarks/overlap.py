"""How much of a run two sets of engines, those of debates and that of their judge, work at the same time."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.run import play, replies
from benchmarks.study import write_study

LATENCY = 0.5
DEBATES = 2_000

Span = tuple[float, float]


def overlap() -> str:
    """In words: the share of a run, from its first ask to its last reply, in which each set is busy."""
    with tempfile.TemporaryDirectory() as folder:
        rows = replies(play(write_study(Path(folder), DEBATES, LATENCY, judged=True)), "model")
    spans: dict[bool, list[Span]] = {True: [], False: []}
    for row in rows:
        spans[row["model"] == "judge"].append((row["began"], row["ended"]))
    debating, judging = busy(spans[False]), busy(spans[True])
    whole = max(end for _, end in debating + judging) - min(start for start, _ in debating + judging)
    shares = [100 * length(each) / whole for each in (debating, judging, both(debating, judging))]
    return (
        f"Of a run of {len(spans[True]):,} debates and as many judgments at {LATENCY} s a reply, the"
        f" engines of debates had work {shares[0]:.0f}% of the time, that of the judge {shares[1]:.0f}%,"
        f" both at once {shares[2]:.0f}%."
    )


def busy(spans: Iterable[Span]) -> list[Span]:
    """The spans put together where they touch."""
    together: list[Span] = []
    for start, end in sorted(spans):
        if together and start <= together[-1][1]:
            together[-1] = together[-1][0], max(end, together[-1][1])
        else:
            together.append((start, end))
    return together


def both(one: list[Span], other: list[Span]) -> list[Span]:
    """When both have a span."""
    cuts = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return [(start, end) for start, end in cuts if start < end]


def length(spans: Iterable[Span]) -> float:
    """Seconds."""
    return sum(end - start for start, end in spans)


if __name__ == "__main__":
    print(f"## Stages\n\n{machine()}\n\n{overlap()}")
