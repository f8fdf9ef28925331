"""The driver: walks the plan, hands out blocks of debates, and sees to it that whoever dies is replaced."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any

import ray
from ray.exceptions import RayActorError, RayTaskError

from ray_jobs.bulletin import Bulletin, post
from ray_jobs.chair import Chair
from ray_jobs.crew import Crew
from ray_jobs.debate import Debate
from ray_jobs.outages import Outages
from ray_jobs.plan import Plan
from ray_jobs.progress import Progress
from ray_jobs.status import Task
from ray_jobs.store import Store
from ray_jobs.walk import BLOCK, Walk

ASKS_PER_MODERATOR = 1024  # asks in flight that one moderator process keeps up with
SPARE = 1.25  # open debates for each ask in flight: the next question is there before its engine is free
REPORT_SECONDS = 0.5
BULLETIN_SECONDS = 5.0
READ_SECONDS = 0.1  # within which gates and treasury tell how they stand; else what they told last stands
WAITING = 5  # debates that a bulletin names of each moderator


class Stalled(RuntimeError):
    """Nothing has been answered for so long that something must hang."""


class Incomplete(RuntimeError):
    """A run that has ended before its plan, because models stopped answering; it can be gone on with."""


def staffing(in_flight: int) -> tuple[int, int]:
    """How many moderators to start, and how many debates each holds open."""
    number = math.ceil(in_flight / ASKS_PER_MODERATOR)
    return number, math.ceil(in_flight * SPARE / number)


def handed_out(open_debates: int) -> int:
    """How many debates a moderator that holds so many open is handed: more than may end unheard of."""
    return open_debates + max(2 * BLOCK, open_debates // 4)


@contextmanager
def driver(task: Task, plan: Plan, crew: Crew, progress: Progress, stall_seconds: float) -> Iterator[Driver]:
    """A driver with its moderators seated; what they hold is on disk when the block is left."""
    number, open_debates = staffing(crew.in_flight)
    replicas = list(crew.replicas.values())
    with ExitStack() as seated:
        chairs = [Chair(each, task, plan, open_debates, replicas) for each in range(number)]
        seat = Driver(task, plan, crew, chairs, progress, handed_out(open_debates), stall_seconds)
        seated.callback(seat.take_leave)
        for chair in chairs:
            seated.callback(chair.close)
        yield seat


class Driver:
    """Keeps `ahead` debates with every moderator until all have ended."""

    def __init__(
        self,
        task: Task,
        plan: Plan,
        crew: Crew,
        chairs: list[Chair],
        progress: Progress,
        ahead: int,
        stall_seconds: float,
    ) -> None:
        self._task, self._plan, self._crew = task, plan, crew
        self._chairs, self._progress = chairs, progress
        self.stopped: dict[str, str] = {}
        self._failures: set[tuple[str, str]] = set()
        self._outages = Outages(crew.limits)
        self._ahead, self._stall_seconds = ahead, stall_seconds
        self._store = Store(task.run)
        self._moved = time.monotonic(), 0
        self._told = 0.0

    def play(self, debates: Iterable[Debate | None]) -> None:
        """Plays all debates to their ends, but for those that need a model that has `stopped`.

        None among them says that there are no further ones yet.

        Raises what suspended one (`LogMismatch`, an error of the disk), `CrewLost` when a model or
        moderator dies again and again, and `Stalled` when nothing has been answered for too long.
        """
        walk = Walk(debates)
        while True:
            self._hand_out(walk)
            calls = [call for chair in self._chairs for call in chair.blocks]
            over = walk.over or self._crew.models <= self.stopped.keys()
            if not calls and over and self._written():
                self._hear()
                return
            self._wait([*calls, *self._crew.opening])
            self._hear()

    def _wait(self, calls: list[Any]) -> None:
        """Until one of the calls has ended, but not for long; where there is none, nothing stalls."""
        if not calls:
            time.sleep(REPORT_SECONDS)
            self._moved = time.monotonic(), self._moved[1]
            return
        ready, _ = ray.wait(calls, timeout=REPORT_SECONDS)
        for call in ready:
            self._settle(call)

    def take_leave(self) -> None:
        """Reports what was done in the end; the moderators have told it when they closed."""
        self._progress.report([status for chair in self._chairs for status in chair.statuses])
        self._tell([])

    def _hand_out(self, walk: Walk) -> None:
        while (idlest := min(self._chairs, key=lambda chair: chair.held)).held < self._ahead:
            block = [debate for debate in walk.block() if not self.stopped.keys() & self._plan.asked(debate)]
            if block:
                idlest.play(block)
            if walk.over:  # told again each time: a moderator may have been seated since
                for chair in self._chairs:
                    chair.all_handed_out()
            if walk.over or walk.rests:
                return

    def _written(self) -> bool:
        """Brings all that has ended to the tables; False when a moderator died instead."""
        for chair in self._chairs:
            try:
                chair.write()
            except RayActorError:
                self._reseat(chair)
                return False
            except RayTaskError as error:
                raise error.cause from None
        return True

    def _settle(self, call: Any) -> None:
        if call in self._crew.opening:
            replica = self._crew.settle(call)
            if replica is not None:
                for chair in self._chairs:
                    chair.actor.connect.remote(replica)
            return
        for chair in self._chairs:
            if call in chair.blocks:  # else its moderator died, and the block is another call's by now
                self._end(call, chair)

    def _end(self, call: Any, chair: Chair) -> None:
        try:
            chair.end(call)
        except RayActorError:
            self._reseat(chair)
        except RayTaskError as error:
            raise error.cause from None

    def _reseat(self, chair: Chair) -> None:
        self._progress.warn(f"moderator {chair.number} died; another goes on from its log")
        chair.replace(self._store, list(self._crew.replicas.values()))

    def _hear(self) -> None:
        """Reports how far the moderators are, and replaces the agents that they have lost."""
        for chair in self._chairs:
            chair.hear()
        statuses = [status for chair in self._chairs for status in chair.statuses]
        self._progress.report(statuses)
        for lost in (chair.status.lost for chair in self._chairs):
            for (model, number, generation), reason in lost.items():
                calls = sum(status.calls[model] for status in statuses)
                if self._crew.replace(model, number, generation, reason, calls):
                    self._progress.warn(f"{reason}; it is started again")
        for model, reason in ((m, why) for status in statuses for m, why in status.stopped.items()):
            if model not in self.stopped:
                self.stopped[model] = reason
                self._progress.warn(f"model '{model}' answers nothing more in this run: {reason}")
        for (model, error_class), message in chain.from_iterable(each.failures.items() for each in statuses):
            if (model, error_class) not in self._failures:
                self._failures.add((model, error_class))
                whose = f"model '{model}': " if model else ""
                self._progress.warn(f"{whose}{error_class}: {message}")
        if time.monotonic() - self._told >= BULLETIN_SECONDS:
            self._tell([line for chair in self._chairs for line in chair.where()[:WAITING]])
        self._watch(sum(status.moves for status in statuses))

    def _tell(self, waiting: list[str]) -> None:
        """Leaves word in the run directory, for `moot status`."""
        self._told = time.monotonic()
        restarting = [f"replica {each.number} of {each.model}" for each in self._crew.opening.values()]
        gates, budget = self._crew.read(READ_SECONDS)
        self._progress.budget(budget)
        line, left, models = self._progress.line, self._progress.left, self._progress.models
        for news in self._outages.news(gates):
            self._progress.warn(news)
        claim, now, stopped = self._task.claim.id, time.time(), dict(self.stopped)
        told = Bulletin(claim, now, line, models, restarting, waiting, gates, budget, left, stopped)
        post(self._store, told)

    def _watch(self, moves: int) -> None:
        """Raises `Stalled`, with what is waited for, when the count of moves has not changed for too long."""
        since, before = self._moved
        if moves != before:
            self._moved = time.monotonic(), moves
        elif time.monotonic() - since > self._stall_seconds:
            name = f"stalls/{self._task.claim.id}.txt"
            lines = [line for chair in self._chairs for line in chair.where()]
            self._store.write(name, "\n".join(lines).encode())
            raise Stalled(
                f"nothing has been answered for {self._stall_seconds:.0f} s; what {len(lines)} open debates"
                f" wait for stands in {self._store.uri}/{name}. The same command goes on with the run"
            )
