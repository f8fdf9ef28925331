"""A moderator: a Ray actor on a CPU that plays many dialogues at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import ray

from protocols.dialogue import Ask, Reply
from protocols.play import Play
from ray_jobs import lease
from ray_jobs.case_table import CaseTable
from ray_jobs.casting import cast, dialogue
from ray_jobs.experiment import Experiment
from ray_jobs.line import AskFailed
from ray_jobs.log import Log
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import Parts, write_batch
from ray_jobs.plan import Debate, Plan
from ray_jobs.playing import Setting, failure_rows, play_debate
from ray_jobs.post import Post
from ray_jobs.run_directory import Claim
from ray_jobs.store import Store

FLUSH_SECONDS = 1.0
CALLS = 100_000  # blocks under way; Ray's default would hold back all beyond a thousand


@dataclass(frozen=True, slots=True)
class Task:
    """What a moderator must know of the run: where it is, and the claim under which it is played."""

    run: str
    claim: Claim


@dataclass
class Status:
    """What a moderator has done since it began; calls and token counts are by model.

    Every model stands in the counters from the start: another thread reads them while they grow.
    """

    calls: Counter[str]
    prompt_tokens: Counter[str]
    completion_tokens: Counter[str]
    open: int = 0
    finished: int = 0
    failed: int = 0

    @classmethod
    def of(cls, models: Iterable[str]) -> Status:
        """Nothing done yet."""
        none = Counter(dict.fromkeys(models, 0))
        return cls(none.copy(), none.copy(), none.copy())


class Moderator:
    """What runs in the actor: plays debates of one run, `open_debates` at a time, first come first served."""

    def __init__(self, name: str, task: Task, open_debates: int, agents: Mapping[str, Sequence[Any]]) -> None:
        self._store = store = Store(task.run)
        self._name, self._task, self._agents = name, task, agents
        self._experiment = Experiment.thawed(task.claim.frozen)
        self._plan = Plan(self._experiment, ())
        self._cases = CaseTable(store)
        self._earlier = OpenLog(store)
        self._setting = Setting(self._experiment.identities(), task.claim.id)
        self._log = Log(store, f"{task.claim.id}-{name}")
        self._parts = Parts(f"{task.claim.id}-{name}")
        self._open = asyncio.Semaphore(open_debates)
        self._status = Status.of(agents)
        self._post: Post | None = None
        self._flushing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    async def open(self) -> None:
        """Connects to the agents and begins to keep time."""
        self._post = Post(self._agents, self._name)
        self._flushing = asyncio.create_task(self._flush_every_second())

    @ray.method(concurrency_group="status")
    async def status(self) -> Status:
        """How far it has come; answered on a thread of its own, however busy the debates are."""
        return self._status

    async def play(self, block: Sequence[Debate]) -> None:
        """Plays the debates of a block to their ends.

        Raises what suspended one of them, once all others of the block have ended.
        """
        ends = await asyncio.gather(*map(self._play, block), return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end

    async def close(self) -> None:
        """Brings to disk all that has ended, and hangs up."""
        assert self._post is not None, "open() comes before close()"
        assert self._flushing is not None, "open() comes before close()"
        self._post.close()
        self._closing.set()
        await self._flushing
        await self._write_parts()
        self._log.close()

    async def _play(self, debate: Debate) -> None:
        async with self._open:
            self._status.open += 1
            try:
                await self._play_open(debate)
            finally:
                self._status.open -= 1

    async def _play_open(self, debate: Debate) -> None:
        assert self._post is not None, "open() comes before play()"
        assert self._flushing is not None, "open() comes before play()"
        if self._flushing.done():
            self._flushing.result()  # a log or part that could not be written stops everything
        cell = self._plan.cells[debate.cell]
        case = cast(self._experiment, cell, self._cases[debate.case_id], debate)
        design = {"run_id": self._task.claim.run_id, **self._plan.columns(debate)}
        logged = self._earlier.rows(debate.debate_id)
        with self._post.lines(seat.model for seat in case.seats) as lines:

            async def ask(question: Ask) -> Reply:
                reply = await lines[question.model].ask(question)
                self._count(question.model, reply)
                return reply

            play = Play(dialogue(case, cell), case.seed)
            try:
                rows = await play_debate(self._setting, case, play, design, logged, ask, self._log.append)
                self._status.finished += 1
            except AskFailed as error:
                rows = failure_rows(design, error)
                self._status.failed += 1
        self._parts.add(rows, time.monotonic())

    def _count(self, model: str, reply: Reply) -> None:
        self._status.calls[model] += 1
        self._status.prompt_tokens[model] += reply.prompt_tokens or 0
        self._status.completion_tokens[model] += reply.completion_tokens or 0

    async def _flush_every_second(self) -> None:
        while not self._closing.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), FLUSH_SECONDS)
            self._log.flush()
            if self._parts.due(time.monotonic()):
                await self._write_parts()

    async def _write_parts(self) -> None:
        """Moves what has ended from the log to the tables; the debates go on meanwhile.

        Raises `LeaseLost` when the run is another process's by now.
        """
        lease.check(self._store, self._task.claim.id)
        batch = self._parts.take()
        self._log.flush()
        await asyncio.to_thread(write_batch, self._store, batch)
        self._log.release(batch.finished)
