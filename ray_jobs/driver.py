"""The driver: walks the plan, hands out blocks of debates to moderators, and waits for the last of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

import ray
from ray.exceptions import RayTaskError

from ray_jobs.agents import Agents
from ray_jobs.moderator import CALLS, Moderator, Status, Task
from ray_jobs.plan import Debate

BLOCK = 100  # debates handed out at once: few enough to balance, many enough that handing out costs nothing
ASKS_PER_MODERATOR = 1024  # asks in flight that one moderator process keeps up with
SPARE = 1.25  # open debates for each ask in flight: the next question is there before its engine is free
REPORT_SECONDS = 0.5

Report = Callable[[Sequence[Status]], None]


def staffing(in_flight: int) -> tuple[int, int]:
    """How many moderators to start, and how many debates each holds open."""
    number = math.ceil(in_flight / ASKS_PER_MODERATOR)
    return number, math.ceil(in_flight * SPARE / number)


@contextmanager
def moderators(task: Task, agents: Agents) -> Iterator[list[Any]]:
    """As many moderators as it takes to keep the agents busy; what they hold is on disk when they close."""
    number, open_debates = staffing(agents.in_flight)
    remote: Any = ray.remote  # its annotations know no concurrency groups
    actor = remote(num_cpus=0, max_concurrency=CALLS, concurrency_groups={"status": 2})(Moderator)
    started = [actor.remote(f"moderator{k}", task, open_debates, agents.replicas) for k in range(number)]
    try:
        ray.get([moderator.open.remote() for moderator in started])
        yield started
    finally:
        try:
            ray.get([moderator.close.remote() for moderator in started])
        finally:
            for moderator in started:
                ray.kill(moderator)


def hand_out(debates: Iterable[Debate], moderators: Sequence[Any], ahead: int, report: Report) -> None:
    """Keeps at least `ahead` debates with every moderator until all have ended; `report` hears how it goes.

    Raises what suspended a debate: `AgentLost`, `LogMismatch`, an error of the disk.
    """
    walk = iter(debates)
    held = dict.fromkeys(moderators, 0)
    at_work: dict[Any, tuple[Any, int]] = {}
    while True:
        while (idlest := min(moderators, key=held.__getitem__)) and held[idlest] < ahead:
            block = list(islice(walk, BLOCK))
            if not block:
                break
            at_work[idlest.play.remote(block)] = idlest, len(block)
            held[idlest] += len(block)
        if not at_work:
            break
        ready, _ = ray.wait(list(at_work), timeout=REPORT_SECONDS)
        for done in ready:
            moderator, size = at_work.pop(done)
            held[moderator] -= size
            _ended(done)
        report(ray.get([moderator.status.remote() for moderator in moderators]))


def _ended(block: Any) -> None:
    try:
        ray.get(block)
    except RayTaskError as error:
        raise error.cause from None  # as it was raised, without the worker's stack in its message


def _settled(play: Any) -> None:
    """Raises what suspended a debate as it was raised there, without the actor's traceback in its text."""
    try:
        ray.get(play)
    except RayTaskError as error:
        raise error.cause from None
