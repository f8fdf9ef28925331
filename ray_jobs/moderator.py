"""A moderator: a Ray actor on a CPU that plays many dialogues at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ray

from protocols.dialogue import Ask, Reply
from protocols.own.played import ProtocolError
from protocols.own.source import SourceError
from protocols.play import Play
from protocols.transcript import Transcript
from ray_jobs.debate import Debate
from ray_jobs.design_row import design_row
from ray_jobs.elsewhere import Elsewhere
from ray_jobs.experiment import Experiment
from ray_jobs.keeper import Keeper
from ray_jobs.line import AskFailed, ModelStopped, Replica
from ray_jobs.log import Row
from ray_jobs.open_log import OpenLog
from ray_jobs.playing import BROKEN, Setting, failure_rows, play_debate
from ray_jobs.post import Correspondence, Post
from ray_jobs.repertoire import Repertoire
from ray_jobs.stage_block import DEBATES
from ray_jobs.staging import NOTHING, Scene
from ray_jobs.status import Status, Task
from ray_jobs.store import Store

CALLS = 100_000  # blocks under way; Ray's default would hold back all beyond a thousand


class Moderator:
    """What runs in the actor: plays debates of one run, `open_debates` at a time, first come first served."""

    def __init__(self, writer: str, task: Task, open_debates: int) -> None:
        store = Store(task.run)
        self._writer, self._task = writer, task
        experiment = Experiment.thawed(task.claim.frozen)
        source = Store(task.debates) if task.debates else store
        self._repertoire = Repertoire(source, experiment, grows=task.debates is not None)
        self._earlier = OpenLog(store)
        self._elsewhere = Elsewhere(task.claim.fork) if task.claim.fork else None
        self._setting = Setting(experiment.identities(), task.claim.id)
        self._keeper = Keeper(store, writer, task.lease)
        self._places = asyncio.Semaphore(open_debates)
        self._open: dict[str, tuple[float, Play[Any]]] = {}
        self._status = Status.of(experiment.models, [DEBATES, *self._repertoire.plan.stages])

    async def open(self, replicas: Sequence[Replica]) -> None:
        """Connects to the agents and begins to keep time."""
        self._post = Post(replicas, self._writer)
        self._keeper.start()

    async def connect(self, replica: Replica) -> None:
        """Turns to a new actor in the place of one that is gone."""
        await self._post.connect(replica)

    async def all_begun(self) -> None:
        """There are no debates but those that it has been handed."""
        self._post.all_begun = True

    @ray.method(concurrency_group="status")
    async def status(self) -> Status:
        """How far it has come; answered on a thread of its own, however busy the debates are."""
        return replace(self._told(), open=len(self._open), lost=self._post.lost)

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
        first: set[asyncio.Future[Any]] = {ends, self._keeper.keeping}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if self._keeper.keeping.done():
            ends.cancel()
            self._keeper.keeping.result()  # a log or part that cannot be written stops everything
        for end in ends.result():
            if isinstance(end, BaseException):
                raise end
        return self._keeper.parts.number

    async def write(self) -> None:
        """Brings to the tables what has ended by now."""
        await self._keeper.write()

    async def close(self) -> Status:
        """Brings to disk all that has ended, hangs up, and tells what was done."""
        self._post.close()
        await self._keeper.close()
        return replace(self._told(), open=0)

    def _told(self) -> Status:
        """What it tells of itself, also while it goes on."""
        return replace(
            self._status,
            batches=self._keeper.batches,
            stopped=dict(self._post.stopped),
            failures=dict(self._status.failures),
        )

    async def _play(self, debate: Debate) -> None:
        """Plays a debate, and all that follows from it, in the one place that it has."""
        async with self._places:
            before = await asyncio.to_thread(self._repertoire.before, debate) if debate.parent else NOTHING
            agents = Correspondence(self._post, debate.debate_id)
            try:
                await self._play_tree(debate, before, agents)
            finally:
                agents.end()
            self._status.ended += 1

    async def _play_tree(self, debate: Debate, before: Transcript, agents: Correspondence) -> None:
        asked = self._repertoire.plan.asked(debate)
        if not asked <= self._task.models or self._post.stopped.keys() & asked:
            return  # half a step is not paid for when the other half cannot be had
        try:
            scene = self._repertoire.scene(debate, before)
            play: Play[Any] = Play(scene.dialogue, debate.seed)
        except (ProtocolError, SourceError) as error:
            design = design_row(self._repertoire.plan, debate, self._task.claim.run_id)
            self._fail(debate, design, ProtocolError(str(error)))
            return
        self._open[debate.debate_id] = time.monotonic(), play
        try:
            standing = await self._play_open(debate, scene, play, agents)
        finally:
            del self._open[debate.debate_id]
        following = self._repertoire.plan.after(debate, standing) if standing else []
        ends = (self._play_tree(each, play.outcome, agents) for each in following)
        for end in await asyncio.gather(*ends, return_exceptions=True):
            if isinstance(end, BaseException):
                raise end

    async def _play_open(
        self, debate: Debate, scene: Scene, play: Play[Any], agents: Correspondence
    ) -> str | None:
        """Plays a debate to its end; returns its standing, None when it failed or a model has stopped."""
        design = design_row(self._repertoire.plan, debate, self._task.claim.run_id, scene.listed)
        known = await self._known(debate)

        async def ask(question: Ask) -> Reply:
            if known and (reply := known.get(self._setting.fingerprint(question))):
                self._status.taken_over += 1
                return reply
            reply = await agents.ask(question)
            self._count(question.model, reply)
            return reply

        logged = self._earlier.rows(debate.debate_id)
        try:
            replies = await play_debate(self._setting, play, design, logged, ask, self._keeper.log.append)
        except (AskFailed, ProtocolError) as error:
            self._fail(debate, design, error)
            return None
        except ModelStopped:  # the log keeps what was answered
            return None
        rows = scene.rows(design, play.outcome, replies)
        self._keeper.parts.add(rows, time.monotonic())
        standing = str(rows["debates"][0]["standing"])
        self._status.finished[debate.stage, standing] += 1
        return standing

    def _fail(self, debate: Debate, design: Row, error: AskFailed | ProtocolError) -> None:
        """Writes down that the debate has failed; what was answered in it stays in the log."""
        self._keeper.parts.add(failure_rows(design, error), time.monotonic())
        self._status.failed[debate.stage] += 1
        if isinstance(error, AskFailed):
            self._status.failures.setdefault((error.model, error.error_class), error.message)
        else:
            self._status.failures.setdefault(("", f"{BROKEN} of {design['protocol']}"), str(error))

    async def _known(self, debate: Debate) -> dict[str, Reply]:
        """Replies of the run that this one is forked from, by fingerprint."""
        if self._elsewhere is None:
            return {}
        return await asyncio.to_thread(self._elsewhere.replies, debate.debate_id)

    def _count(self, model: str, reply: Reply) -> None:
        self._status.calls[model] += 1
        self._status.prompt_tokens[model] += reply.prompt_tokens or 0
        self._status.completion_tokens[model] += reply.completion_tokens or 0


def _unanswered(play: Play[Any]) -> list[Ask]:
    """What the current step waits for, also while another thread goes on with the play."""
    step, replies = play.step, play.replies
    return [ask for slot, ask in enumerate(step) if slot not in replies]
