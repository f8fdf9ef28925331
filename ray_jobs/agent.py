"""An agent: a Ray actor that holds one replica of one model and answers asks concurrently.

A moderator `submit`s the asks it has and `collect`s the answers that are ready, so that the cost of a
call between actors does not fall on every single reply.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from typing import Any

from protocols.dialogue import Ask, Reply
from protocols.reading.surface import encodable
from ray_jobs.mail import Answer, Answers, Failure, Forgotten, Letter, Mailbox, Posted
from ray_jobs.places import Places
from ray_jobs.purse import TreasuryPurse
from serving.backend import Backend
from serving.errors import EngineDead, ServingError
from serving.limits.condition import Condition
from serving.opening import open_backend

SUSPECT = 2  # engines that died with an ask before it goes one at a time: one dies of many things
GUILTY = 3  # and before it meets an engine that does nothing else
CALLS = 10_000  # letters under way from all moderators: two from each
SILENT_SECONDS = 60.0  # an engine that has asks and answers none of them for so long is probed
PROBE_SECONDS = 300.0  # and is dead when it cannot write one token within this


def agent_name(model: str, number: int, generation: int) -> str:
    """What the treasury knows the agent of a replica by."""
    return f"{model}-{number}-{generation}"


def model_of(name: str) -> str:
    """The model of the agent of that name."""
    return name.rsplit("-", 2)[0]


class Agent:
    """What runs in the actor: one replica of the model of `block`, of that number.

    At most `in_flight` asks, as its backend says, are with the backend at any time. Of those that wait, the
    ones of lowest rank go first: they belong to the debates that started first. With a `treasury`, every call
    is paid for by it, under the agent's `name`.
    """

    def __init__(self, block: Any, name: str = "", treasury: Any = None, replica: int = 0) -> None:
        self._block, self._name, self._treasury, self._replica = block, name, treasury, replica
        self._purse: TreasuryPurse | None = None
        self._mail: defaultdict[str, Mailbox] = defaultdict(Mailbox)
        self._tasks: dict[asyncio.Task[None], tuple[Mailbox, int]] = {}
        self._forgotten: set[str] = set()
        self._suspects = Places(1)
        self._heard = time.monotonic()
        self._dead = False
        self._stopped: Failure | None = None

    async def open(self) -> int:
        """Starts the engine or client; returns how many asks it works on at once.

        Raises `ServingError` when the model cannot be had.
        """
        if self._treasury is not None:
            self._purse = TreasuryPurse(self._name, self._treasury)
        self._backend: Backend = await open_backend(self._block, self._purse, self._replica)
        self._places = Places(self._backend.in_flight)
        self._watching = asyncio.create_task(self._watch())
        return self._backend.in_flight

    async def close(self) -> None:
        """Ends the engine and all that belongs to it."""
        if hasattr(self, "_backend"):
            self._watching.cancel()
            await self._backend.close()
        if self._purse is not None:
            await self._purse.close()

    async def submit(self, moderator: str, letter: Letter) -> None:
        """Takes asks; their answers wait for the moderator to `collect` them."""
        if moderator in self._forgotten:  # what it waits for is lost as a whole, once it comes to hear of it
            return
        mailbox = self._mail[moderator]
        for posted in letter:
            task = asyncio.create_task(self._answer(mailbox, posted))
            self._tasks[task] = mailbox, posted.number
            task.add_done_callback(self._tasks.pop)

    async def collect(self, moderator: str) -> Answers:
        """What has been answered since the last call, as soon as anything has.

        Raises `Forgotten`, once, to a moderator that was taken for gone.
        """
        if moderator in self._forgotten:
            self._forgotten.discard(moderator)
            raise Forgotten(moderator)
        return await self._mail[moderator].take()

    async def condition(self) -> Condition | None:
        """How the way to its model stands; None of one that is here."""
        return self._backend.condition

    async def forget(self, moderator: str) -> None:
        """Gives up all that a moderator has asked, waiting or with the backend, and its mail: it is gone."""
        self._forgotten.add(moderator)
        mailbox = self._mail.pop(moderator, None)
        for task, (owner, _) in list(self._tasks.items()):
            if owner is mailbox:
                task.cancel()

    async def _answer(self, mailbox: Mailbox, posted: Posted) -> None:
        queued = time.monotonic()
        async with self._place(posted):
            waited = time.monotonic() - queued
            try:
                if posted.deaths >= GUILTY and not self._dead:  # nothing can be guilty of an earlier death
                    await mailbox.announce(posted.number)
                answer = await self._answered(posted.ask, waited)
            except Exception as error:  # noqa: BLE001 - whatever was raised must reach the debate it belongs to
                self._dead = self._dead or isinstance(error, EngineDead)
                answer = failure(error, waited)
                self._stopped = self._stopped or (answer if answer.stopped else None)
        self._heard = time.monotonic()
        mailbox.put(posted.number, answer)

    async def _answered(self, ask: Ask, waited: float) -> Answer:
        """What the backend says; once the model has stopped, what it said then, without asking it."""
        return self._stopped or _reply(await self._backend.answer(ask), waited)

    @asynccontextmanager
    async def _place(self, posted: Posted) -> AsyncIterator[None]:
        """A place at the engine; suspects hold one at a time, one that looks guilty all there are."""
        places = self._backend.in_flight if posted.deaths >= GUILTY else 1
        turn = self._suspects.take(posted.rank) if posted.deaths >= SUSPECT else nullcontext()
        async with turn, self._places.take(posted.rank, places):
            yield

    async def _watch(self) -> None:
        """Gives up an engine that is silent and cannot write one token, and whoever never comes for mail."""
        while True:
            await asyncio.sleep(SILENT_SECONDS / 4)
            for moderator in [name for name, mailbox in self._mail.items() if mailbox.abandoned]:
                await self.forget(moderator)
            if not self._tasks:
                self._heard = time.monotonic()
            if time.monotonic() - self._heard < SILENT_SECONDS:
                continue
            before = self._heard
            try:
                await asyncio.wait_for(self._backend.probe(), PROBE_SECONDS)
            except Exception as error:  # noqa: BLE001 - whatever the probe met, the engine does not answer
                if self._heard == before:  # else it is slow, but alive
                    silence = time.monotonic() - before
                    self._give_up(EngineDead(f"silent for {silence:.0f} s, and a probe failed: {error!r}"))
            self._heard = time.monotonic()

    def _give_up(self, dead: EngineDead) -> None:
        self._dead = True
        for task, (mailbox, number) in list(self._tasks.items()):
            task.cancel()
            mailbox.put(number, failure(dead, 0.0))


def _reply(reply: Reply, waited: float) -> Reply:
    """The reply as all will know it: what cannot be stored as UTF-8 is replaced before anyone hears it."""
    return replace(
        reply,
        text=encodable(reply.text),
        reasoning=encodable(reply.reasoning),
        wait_seconds=reply.wait_seconds + waited,
    )


def failure(error: Exception, waited: float) -> Failure:
    """What a moderator is told of an error."""
    message = encodable("; ".join([str(error), *getattr(error, "__notes__", ())]))
    if not isinstance(error, ServingError):
        return Failure(type(error).__name__, message, waited)
    return Failure(
        error.kind,
        message,
        waited,
        error.attempts,
        retriable=error.retriable and not error.spent,
        dead=isinstance(error, EngineDead),
        stopped=error.stops_model,
    )
