"""An agent: a Ray actor that holds one replica of one model and answers asks concurrently.

Asks and replies travel in letters of many, so that the cost of a call between actors does not fall on
every single reply: a moderator `submit`s what it has, and `collect`s what is ready.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Any

from protocols.dialogue import Ask, Reply
from protocols.reading.surface import encodable
from serving.backend import Backend
from serving.errors import ServingError
from serving.opening import open_backend

COLLECT_SECONDS = 10.0  # a collect without a reply returns after this, so that no call hangs for ever
CALLS = 10_000  # letters under way from all moderators: two from each
LINGER_SECONDS = 0.005  # replies that come this close together share a letter


@dataclass(frozen=True, slots=True)
class Failure:
    """An ask that no reply came for: the error in words, and whether asking again may help."""

    error_class: str
    message: str
    retriable: bool
    wait_seconds: float


Answer = Reply | Failure
Letter = list[tuple[int, Ask]]
Answers = list[tuple[int, Answer]]


class Mailbox:
    """The answers that wait for one moderator."""

    def __init__(self) -> None:
        self._answers: Answers = []
        self._arrived = asyncio.Event()

    def put(self, number: int, answer: Answer) -> None:
        """Adds the answer to ask `number`."""
        self._answers.append((number, answer))
        self._arrived.set()

    async def take(self) -> Answers:
        """All answers that are there, as soon as there is one; none after `COLLECT_SECONDS`."""
        try:
            await asyncio.wait_for(self._arrived.wait(), COLLECT_SECONDS)
        except TimeoutError:
            return []
        await asyncio.sleep(LINGER_SECONDS)
        self._arrived.clear()
        taken, self._answers = self._answers, []
        return taken


class Agent:
    """What runs in the actor: one replica of the model of `block`.

    At most `in_flight` asks, as its backend says, are with the backend at any time.
    """

    def __init__(self, block: Any) -> None:
        self._block = block
        self._backend: Backend | None = None
        self._free = asyncio.Semaphore(0)
        self._mail: defaultdict[str, Mailbox] = defaultdict(Mailbox)
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> int:
        """Starts the engine or client; returns how many asks it works on at once.

        Raises `ServingError` when the model cannot be had.
        """
        self._backend = await open_backend(self._block)
        self._free = asyncio.Semaphore(self._backend.in_flight)
        return self._backend.in_flight

    async def close(self) -> None:
        """Ends the engine and all that belongs to it."""
        if self._backend is not None:
            await self._backend.close()

    async def submit(self, moderator: str, letter: Letter) -> None:
        """Takes asks, each under a number of the moderator's own."""
        for number, ask in letter:
            task = asyncio.create_task(self._answer(self._mail[moderator], number, ask))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def collect(self, moderator: str) -> Answers:
        """What has been answered since the last call, as soon as anything has."""
        return await self._mail[moderator].take()

    async def _answer(self, mailbox: Mailbox, number: int, ask: Ask) -> None:
        assert self._backend is not None, "open() comes before submit()"
        queued = time.monotonic()
        async with self._free:
            waited = time.monotonic() - queued
            try:
                reply = await self._backend.answer(ask)
            except ServingError as error:
                mailbox.put(number, _failure(error, error.retriable, waited))
            except Exception as error:  # noqa: BLE001 - whatever the backend raised must reach the debate it belongs to
                mailbox.put(number, _failure(error, False, waited))
            else:
                mailbox.put(number, _reply(reply, waited))


def _reply(reply: Reply, waited: float) -> Reply:
    """The reply as all will know it: what cannot be stored as UTF-8 is replaced before anyone hears it."""
    return replace(
        reply,
        text=encodable(reply.text),
        reasoning=encodable(reply.reasoning),
        wait_seconds=reply.wait_seconds + waited,
    )


def _failure(error: Exception, retriable: bool, waited: float) -> Failure:
    return Failure(type(error).__name__, encodable(str(error)), retriable, waited)
