"""What travels between moderators and agents: asks and answers, in letters of many."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import NamedTuple

from protocols.dialogue import Ask, Reply
from serving.errors import TransportError

COLLECT_SECONDS = 10.0  # a collect without an answer returns after this, so that no call hangs for ever
KNOWN_SECONDS = 60.0  # a moderator that has not come for mail for so long is gone; its asks are given up
LINGER_SECONDS = 0.005  # answers that come this close together share a letter


@dataclass(frozen=True, slots=True)
class Failure:
    """An ask that no reply came for.

    The class and message of the error, after how many attempts; whether to ask again, whether the engine is
    gone, whether the model has stopped: then it answers nothing more in this run.
    """

    error_class: str
    message: str
    wait_seconds: float
    attempts: int = 1
    retriable: bool = False
    dead: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """No answer yet: the ask is put to the engine alone now. If the agent dies of it, this ask is guilty."""


class Forgotten(Exception):
    """What a moderator hears that was taken for gone: none of its asks so far will be answered."""


class Posted(NamedTuple):
    """An ask under a `number` of the sender's. Of those that wait, the lowest `rank` is answered first.

    `deaths` is how many engines have died while it was under way.
    """

    number: int
    ask: Ask
    deaths: int = 0
    rank: float = 0.0


Answer = Reply | Failure
Letter = list[Posted]
Answers = list[tuple[int, Answer | Trial]]


class Mailbox:
    """The answers that wait for one moderator."""

    def __init__(self) -> None:
        self._heard, self._here = time.monotonic(), 0
        self._answers: Answers = []
        self._arrived = asyncio.Event()
        self._announced: list[asyncio.Future[None]] = []
        self._sent: list[asyncio.Future[None]] = []

    @property
    def abandoned(self) -> bool:
        """Whether nobody has come for so long that its moderator must be gone."""
        return not self._here and time.monotonic() - self._heard > KNOWN_SECONDS

    def put(self, number: int, answer: Answer | Trial) -> None:
        """Adds the answer to ask `number`."""
        self._answers.append((number, answer))
        self._arrived.set()

    async def announce(self, number: int) -> None:
        """Tells of a trial; returns once the moderator knows of it, for it has come for mail again since.

        Raises `TransportError` when it does not come.
        """
        told: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._announced.append(told)
        self.put(number, Trial())
        try:
            await asyncio.wait_for(told, KNOWN_SECONDS)
        except TimeoutError:
            raise TransportError(f"the moderator has not come for mail for {KNOWN_SECONDS:.0f} s") from None

    async def take(self) -> Answers:
        """All answers that are there, as soon as there is one; none after `COLLECT_SECONDS`."""
        self._here += 1
        try:
            return await self._take()
        finally:
            self._here -= 1
            self._heard = time.monotonic()

    async def _take(self) -> Answers:
        for told in self._sent:
            if not told.done():  # the trial may have been given up
                told.set_result(None)
        self._sent = []
        try:
            await asyncio.wait_for(self._arrived.wait(), COLLECT_SECONDS)
        except TimeoutError:
            return []
        await asyncio.sleep(LINGER_SECONDS)
        self._arrived.clear()
        taken, self._answers = self._answers, []
        self._sent, self._announced = self._announced, []
        return taken
