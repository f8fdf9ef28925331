"""Which replica answers for which debate: all asks of one debate to one model go to the same one."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from protocols.dialogue import Ask, Reply
from ray_jobs.line import AgentLost, AskFailed, Line, ModelStopped, NotNow, Replica

LONG = 1e9  # seconds: more than lies between the starts of any two debates
TRIES = 3  # of an ask that is lost on the way while its agent lives


class Post:
    """A moderator's lines to every live replica of every model, and how many open debates use each.

    `stopped` names the models that answer nothing more in this run, and why; `all_begun` says that the
    moderator has been handed all debates there are.
    """

    def __init__(self, replicas: Iterable[Replica], moderator: str) -> None:
        self.stopped: dict[str, str] = {}
        self.all_begun = False
        self._moderator = moderator
        self._lines: dict[tuple[str, int], Line] = {}
        self._debates: dict[Line, int] = {}
        self._connected = asyncio.Condition()
        for replica in replicas:
            self._add(replica)

    @property
    def lost(self) -> dict[tuple[str, int, int], str]:
        """What was heard of replicas that are gone and not replaced, by model, number and generation."""
        return {
            (line.replica.model, line.replica.number, line.replica.generation): line.lost
            for line in list(self._lines.values())  # asked for on another thread
            if line.lost is not None
        }

    async def connect(self, replica: Replica) -> None:
        """Puts a new actor in the place of the one that is gone; whoever waits for its model goes on."""
        self._add(replica)
        async with self._connected:
            self._connected.notify_all()

    async def assign(self, model: str) -> Line:
        """For one more debate, the line with the fewest tokens outstanding, and of such with fewest debates.

        Waits while no replica is alive.
        """
        async with self._connected:
            await self._connected.wait_for(lambda: self._alive(model))
        line = min(self._alive(model), key=self._load)
        self._debates[line] += 1
        return line

    def release(self, line: Line) -> None:
        """The debate has ended, or has turned to another replica."""
        self._debates[line] -= 1

    def close(self) -> None:
        """Hangs up every line."""
        for line in self._debates:
            line.close()

    def _add(self, replica: Replica) -> None:
        line = Line(replica, self._moderator)
        self._lines[replica.model, replica.number] = line
        self._debates[line] = 0

    def _load(self, line: Line) -> tuple[int, int, int]:
        return line.outstanding, self._debates[line], line.replica.number

    def _alive(self, model: str) -> list[Line]:
        return [line for line in self._lines.values() if line.replica.model == model and line.lost is None]


class Correspondence:
    """How one debate asks: each model's questions go to one replica, and to another when that one dies.

    The rank of an ask is the time at which its debate started: those that started first are answered first.
    Once no further debate will begin, earlier rounds go before later ones, as they have most ahead: what
    ends last then ends sooner.

    An ask that one engine died with is put to the next one like any other; that a second died with, one at
    a time; that a third died with, to an engine that does nothing else. If that dies too the ask is set
    aside, as an `AskFailed`.
    """

    def __init__(self, post: Post, debate_id: str) -> None:
        self._post, self._debate_id = post, debate_id
        self._began = time.time()  # comparable with that of other moderators' debates
        self._lines: dict[str, Line] = {}
        self._turning: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ask(self, ask: Ask) -> Reply:
        """The reply, with all attempts counted.

        Raises `AskFailed` when there is none, `ModelStopped` when its model answers nobody any more.
        """
        deaths, attempts, lost = 0, 0, 0
        ask = replace(ask, conversation=self._debate_id)
        while True:
            line = await self._line(ask.model)
            attempts += 1
            try:
                reply = await line.ask(ask, deaths, self._rank(ask))
            except AgentLost as death:
                if death.alone:
                    alone = f"asked alone, {death.reason}"
                    raise AskFailed(ask.seat, ask.model, "engine_dead", alone, 0.0, attempts) from None
                deaths += 1
            except NotNow as error:
                lost += 1
                if lost == TRIES:
                    often = f"{TRIES} times lost: {error}"
                    raise AskFailed(ask.seat, ask.model, "transient", often, 0.0, attempts) from None
            except ModelStopped as stopped:
                self._post.stopped[ask.model] = stopped.reason
                raise
            except AskFailed as failed:
                raise failed.after(failed.attempts + attempts - 1) from None
            else:
                return replace(reply, attempts=reply.attempts + attempts - 1)

    def end(self) -> None:
        """The debate has ended."""
        for line in self._lines.values():
            self._post.release(line)

    def _rank(self, ask: Ask) -> float:
        return self._began + (ask.round * LONG if self._post.all_begun else 0.0)

    async def _line(self, model: str) -> Line:
        async with self._turning[model]:  # of two asks that find their replica gone, one turns to another
            line = self._lines.get(model)
            if line is None or line.lost is not None:
                if line is not None:
                    self._post.release(self._lines.pop(model))
                self._lines[model] = line = await self._post.assign(model)
            return line
