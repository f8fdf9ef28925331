"""A moderator's line to one agent: asks go out in letters, answers come back to whoever waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

from protocols.dialogue import Ask, Reply
from ray_jobs.agent import Answer, Failure, Letter


class AskFailed(Exception):
    """An ask that no reply came for: its seat, the class and message of the error, the seconds waited."""

    def __init__(self, seat: str, error_class: str, message: str, wait_seconds: float) -> None:
        super().__init__(seat, error_class, message, wait_seconds)
        self.seat, self.error_class, self.message = seat, error_class, message
        self.wait_seconds = wait_seconds

    def __str__(self) -> str:
        return f"{self.seat}: {self.error_class}: {self.message}"


class AgentLost(Exception):
    """An agent that answers no more, or whose failure another try may mend; the debate is suspended."""


class Line:
    """Asks are numbered on their way out; `_waiting` holds the futures of those under way."""

    def __init__(self, agent: Any, moderator: str) -> None:
        self._agent = agent
        self._moderator = moderator
        self._numbers = count()
        self._outbox: Letter = []
        self._written = asyncio.Event()
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._lost: str | None = None
        self._loops = [asyncio.create_task(self._guarded(loop)) for loop in (self._send, self._receive)]

    @property
    def load(self) -> int:
        """How many asks are under way."""
        return len(self._waiting)

    async def ask(self, ask: Ask) -> Reply:
        """The agent's reply. Raises `AskFailed` when there is none, `AgentLost` when the agent is gone."""
        if self._lost is not None:
            raise AgentLost(self._lost)
        number = next(self._numbers)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._outbox.append((number, ask))
        self._written.set()
        answer = await future
        if not isinstance(answer, Failure):
            return answer
        if answer.retriable:
            raise AgentLost(f"{ask.model}: {answer.error_class}: {answer.message}")
        raise AskFailed(ask.seat, answer.error_class, answer.message, answer.wait_seconds)

    def close(self) -> None:
        """Hangs up; nothing more is asked on this line."""
        for loop in self._loops:
            loop.cancel()

    async def _send(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            letter, self._outbox = self._outbox, []
            await self._agent.submit.remote(self._moderator, letter)

    async def _receive(self) -> None:
        while True:
            for number, answer in await self._agent.collect.remote(self._moderator):
                future = self._waiting.pop(number)
                if not future.done():  # whoever asked may have given up
                    future.set_result(answer)

    async def _guarded(self, loop: Callable[[], Awaitable[None]]) -> None:
        """Whatever ends a loop ends the line, and is told to everyone who waits on it."""
        try:
            await loop()
        except Exception as error:  # noqa: BLE001 - nobody awaits the loops; the waiting debates must hear of it
            self._lost = f"the line to an agent broke: {error!r}"
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(AgentLost(self._lost))
            self._waiting.clear()
