"""How long debates take of known latencies, if nothing but the latencies took any time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush, heapreplace

Steps = Sequence[Sequence[float]]
"""A debate: for each of its steps the seconds of every reply."""


def first_come(
    debates: Sequence[Steps], in_flight: int, open_debates: int, handed: float = -math.inf
) -> float:
    """Seconds until the last reply.

    `open_debates` of the debates are open at a time, in their order, and `in_flight` of their asks with the
    engine; of asks that wait, those of the debate that began first go first. Once no more than `handed`
    debates are still to begin, asks of earlier steps go before those of later ones.
    """
    waiting: list[tuple[int, int, int, float]] = []  # step if that comes first, debate, step, seconds
    working: list[tuple[float, int, int]] = []  # end, debate, step
    owed = [len(steps[0]) for steps in debates]
    begun, now = 0, 0.0

    def ask(debate: int, step: int) -> None:
        owed[debate] = len(debates[debate][step])
        by_step = len(debates) - begun - 1 <= handed
        for seconds in debates[debate][step]:
            heappush(waiting, (step if by_step else 0, debate, step, seconds))

    for begun in range(min(open_debates, len(debates))):
        ask(begun, 0)
    while waiting or working:
        while waiting and len(working) < in_flight:
            _, debate, step, seconds = heappop(waiting)
            heappush(working, (now + seconds, debate, step))
        now, debate, step = heappop(working)
        owed[debate] -= 1
        if owed[debate]:
            continue
        if step + 1 < len(debates[debate]):
            ask(debate, step + 1)
        elif begun + 1 < len(debates):
            begun += 1
            ask(begun, 0)
    return now


def with_barrier(debates: Sequence[Steps], in_flight: int) -> float:
    """Seconds when no debate begins a round before all have ended the one before."""
    rounds = max(map(len, debates))
    return sum(
        _in_turn((seconds for steps in debates if len(steps) > step for seconds in steps[step]), in_flight)
        for step in range(rounds)
    )


def _in_turn(latencies: Iterable[float], in_flight: int) -> float:
    """Seconds until the last of these, of which `in_flight` are under way at a time."""
    places = [0.0] * in_flight
    heapify(places)
    for seconds in latencies:
        heapreplace(places, places[0] + seconds)
    return max(places)
