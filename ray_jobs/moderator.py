"""A moderator: a Ray actor on a CPU that plays many dialogues at once."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import ray

from protocols.case import Case
from protocols.dialogue import Ask, Reply
from protocols.play import Play
from protocols.transcript import Transcript
from ray_jobs import lease
from ray_jobs.case_table import CaseTable
from ray_jobs.casting import cast, dialogue
from ray_jobs.experiment import Experiment
from ray_jobs.line import AskFailed, Replica
from ray_jobs.log import Log
from ray_jobs.open_log import OpenLog
from ray_jobs.parts import Parts, write_batch
from ray_jobs.plan import Debate, Plan
from ray_jobs.playing import Setting, failure_rows, play_debate
from ray_jobs.post import Correspondence, Post
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
    """What a moderator has done since it began; calls and token counts are by model, `lost` as in `Post`.

    `batches` of ended debates, numbered from 0, are in the tables.

    Every model stands in the counters from the start: another thread reads them while they grow.
    """

    calls: Counter[str]
    prompt_tokens: Counter[str]
    completion_tokens: Counter[str]
    open: int = 0
    finished: int = 0
    failed: int = 0
    batches: int = 0
    lost: Mapping[tuple[str, int, int], str] = field(default_factory=dict)

    @classmethod
    def of(cls, models: Iterable[str]) -> Status:
        """Nothing done yet."""
        none = Counter(dict.fromkeys(models, 0))
        return cls(none.copy(), none.copy(), none.copy())


class Moderator:
    """What runs in the actor: plays debates of one run, `open_debates` at a time, first come first served."""

    def __init__(self, writer: str, task: Task, open_debates: int) -> None:
        self._store = store = Store(task.run)
        self._writer, self._task = writer, task
        self._experiment = Experiment.thawed(task.claim.frozen)
        self._plan = Plan(self._experiment, ())
        self._cases = CaseTable(store)
        self._earlier = OpenLog(store)
        self._setting = Setting(self._experiment.identities(), task.claim.id)
        self._log = Log(store, writer)
        self._parts = Parts(writer)
        self._places = asyncio.Semaphore(open_debates)
        self._open: dict[str, tuple[float, Play[Transcript]]] = {}
        self._status = Status.of(self._experiment.models)
        self._closing = asyncio.Event()
        self._writing = asyncio.Lock()

    async def open(self, replicas: Sequence[Replica]) -> None:
        """Connects to the agents and begins to keep time."""
        self._post = Post(replicas, self._writer)
        self._flushing = asyncio.create_task(self._flush_every_second())

    async def connect(self, replica: Replica) -> None:
        """Turns to a new actor in the place of one that is gone."""
        await self._post.connect(replica)

    @ray.method(concurrency_group="status")
    async def status(self) -> Status:
        """How far it has come; answered on a thread of its own, however busy the debates are."""
        return replace(self._status, open=len(self._open), lost=self._post.lost)

    @ray.method(concurrency_group="status")
    async def where(self) -> list[str]:
        """What each open debate waits for, the longest open first."""
        now = time.monotonic()
        return [
            f"debate {debate_id}, open for {now - since:.0f} s: step {play.index}, waiting for "
            + ", ".join(f"{ask.seat} ({ask.model})" for ask in _unanswered(play))
            for debate_id, (since, play) in sorted(self._open.items(), key=lambda item: item[1][0])
        ]

    async def play(self, block: Sequence[Debate]) -> int:
        """Plays the debates of a block to their ends; all are in the tables once this batch has been written.

        Raises what suspended one of them once all others of the block have ended, and at once what keeps
        log or tables from being written.
        """
        ends = asyncio.gather(*map(self._play, block), return_exceptions=True)
        first: set[asyncio.Future[Any]] = {ends, self._flushing}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if self._flushing.done():
            ends.cancel()
            self._flushing.result()  # a log or part that cannot be written stops everything
        for end in ends.result():
            if isinstance(end, BaseException):
                raise end
        return self._parts.number

    async def close(self) -> None:
        """Brings to disk all that has ended, and hangs up."""
        self._post.close()
        self._closing.set()
        await self._flushing
        await self.write()
        self._log.close()

    async def _play(self, debate: Debate) -> None:
        async with self._places:
            cell = self._plan.cells[debate.cell]
            case = cast(self._experiment, cell, self._cases[debate.case_id], debate)
            play = Play(dialogue(case, cell), case.seed)
            self._open[debate.debate_id] = time.monotonic(), play
            try:
                await self._play_open(debate, case, play)
            finally:
                del self._open[debate.debate_id]

    async def _play_open(self, debate: Debate, case: Case, play: Play[Transcript]) -> None:
        design = {"run_id": self._task.claim.run_id, **self._plan.columns(debate)}
        logged = self._earlier.rows(debate.debate_id)
        agents = Correspondence(self._post)

        async def ask(question: Ask) -> Reply:
            reply = await agents.ask(question)
            self._count(question.model, reply)
            return reply

        try:
            rows = await play_debate(self._setting, case, play, design, logged, ask, self._log.append)
            self._status.finished += 1
        except AskFailed as error:
            rows = failure_rows(design, error)
            self._status.failed += 1
        finally:
            agents.end()
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
                await self.write()

    async def write(self) -> None:
        """Moves what has ended from the log to the tables; the debates go on meanwhile.

        Raises `LeaseLost` when the run is another process's by now.
        """
        async with self._writing:
            lease.check(self._store, self._task.claim.id)
            batch = self._parts.take()
            self._log.flush()
            await asyncio.to_thread(write_batch, self._store, batch)
            self._log.release(batch.finished)
            self._status.batches += 1


def _unanswered(play: Play[Transcript]) -> list[Ask]:
    """What the current step waits for, also while another thread goes on with the play."""
    step, replies = play.step, play.replies
    return [ask for slot, ask in enumerate(step) if slot not in replies]
