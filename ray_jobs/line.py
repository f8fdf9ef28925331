"""A moderator's line to one agent: asks go out in letters, answers come back to whoever waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from protocols.dialogue import Ask, Reply
from ray_jobs.mail import Answer, Failure, Forgotten, Letter, Posted, Trial


class AskFailed(Exception):
    """An ask that no reply came for.

    Its seat and model, the class and message of the error, the seconds waited, and how often it was put to
    an agent.
    """

    def __init__(
        self, seat: str, model: str, error_class: str, message: str, wait_seconds: float, attempts: int = 1
    ) -> None:
        super().__init__(seat, model, error_class, message, wait_seconds, attempts)
        self.seat, self.model, self.error_class, self.message = seat, model, error_class, message
        self.wait_seconds, self.attempts = wait_seconds, attempts

    def after(self, attempts: int) -> AskFailed:
        """The same failure, after so many attempts."""
        return AskFailed(self.seat, self.model, self.error_class, self.message, self.wait_seconds, attempts)

    def __str__(self) -> str:
        return f"{self.seat}: {self.error_class}: {self.message}"


class ModelStopped(Exception):
    """A model that answers nothing more in this run, with the class and message of its last error."""

    def __init__(self, model: str, error_class: str, message: str) -> None:
        super().__init__(model, error_class, message)
        self.model, self.reason = model, f"{error_class}: {message}"

    def __str__(self) -> str:
        return f"{self.model}: {self.reason}"


class AgentLost(Exception):
    """An agent that answers no more. `alone` says that it died of the very ask that this is raised for."""

    def __init__(self, reason: str, alone: bool = False) -> None:
        super().__init__(reason, alone)
        self.reason, self.alone = reason, alone

    def __str__(self) -> str:
        return self.reason


class NotNow(Exception):
    """An ask that was lost on the way, while its agent goes on; it may be sent again."""


@dataclass(frozen=True, slots=True)
class Replica:
    """One actor that holds a model: replica `number` of it, its `generation` one more with each death."""

    model: str
    number: int
    generation: int
    agent: Any


class Line:
    """Asks are numbered on their way out; `_waiting` holds the futures of those under way.

    `lost` says, once the agent is gone, what was heard of that. `outstanding` is the sum of `tokens` over the
    asks under way.
    """

    def __init__(self, replica: Replica, moderator: str) -> None:
        self.replica = replica
        self.lost: str | None = None
        self.outstanding = 0
        self._moderator = moderator
        self._numbers = count()
        self._outbox: Letter = []
        self._written = asyncio.Event()
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._on_trial: set[int] = set()
        self._loops = [asyncio.create_task(self._guarded(loop)) for loop in (self._send, self._receive)]

    async def ask(self, ask: Ask, deaths: int = 0, rank: float = 0.0) -> Reply:
        """The agent's reply; `deaths` and `rank` as in `Posted`.

        Raises `AskFailed` when there is none, `NotNow` when it was lost on the way, `ModelStopped` when there
        will be none from this model, `AgentLost` when the agent is gone.
        """
        if self.lost is not None:
            raise AgentLost(self.lost)
        number = next(self._numbers)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._outbox.append(Posted(number, ask, deaths, rank))
        self._written.set()
        self.outstanding += tokens(ask)
        try:
            answer = await future
        finally:
            self.outstanding -= tokens(ask)
        if not isinstance(answer, Failure):
            return answer
        if answer.stopped:
            raise ModelStopped(ask.model, answer.error_class, answer.message)
        if answer.retriable:
            raise NotNow(f"{answer.error_class}: {answer.message}")
        raise AskFailed(
            ask.seat, ask.model, answer.error_class, answer.message, answer.wait_seconds, answer.attempts
        )

    def close(self) -> None:
        """Hangs up; nothing more is asked on this line."""
        for loop in self._loops:
            loop.cancel()

    async def _send(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            letter, self._outbox = self._outbox, []
            await self.replica.agent.submit.remote(self._moderator, letter)

    async def _receive(self) -> None:
        while self.lost is None:
            try:
                answers = await self.replica.agent.collect.remote(self._moderator)
            except Forgotten:
                self._forgotten()
                continue
            trials, death = set(), None
            for number, answer in answers:
                if isinstance(answer, Trial):
                    trials.add(number)
                elif isinstance(answer, Failure) and answer.dead:
                    death = death or answer
                else:
                    self._settle(number, answer)
            if death is not None:
                self._break(death.message)  # trials told of in this very letter had not begun
            self._on_trial |= trials

    def _settle(self, number: int, answer: Answer) -> None:
        self._on_trial.discard(number)
        future = self._waiting.pop(number, None)
        if future is not None and not future.done():  # whoever asked may have given up, or asked again
            future.set_result(answer)

    async def _guarded(self, loop: Callable[[], Awaitable[None]]) -> None:
        """Whatever ends a loop ends the line."""
        try:
            await loop()
        except Exception as error:  # noqa: BLE001 - nobody awaits the loops; the waiting debates must hear of it
            self._break(f"{type(error).__name__}: {error}")

    def _break(self, reason: str) -> None:
        """Tells everyone who waits on the line that the agent is gone."""
        name = f"replica {self.replica.number} of {self.replica.model}"
        self.lost = (
            f"{name} is gone: {reason.strip().splitlines()[0] if reason.strip() else 'no reason given'}"
        )
        for number, future in self._waiting.items():
            if not future.done():
                future.set_exception(AgentLost(self.lost, number in self._on_trial))
        self._waiting.clear()

    def _forgotten(self) -> None:
        """Tells everyone who waits on the line to ask again; what has not been sent yet is not sent."""
        told = Failure("Forgotten", "the agent took this moderator for gone", 0.0, retriable=True)
        self._outbox.clear()
        for number in list(self._waiting):
            self._settle(number, told)


def tokens(ask: Ask) -> int:
    """How much work an ask is, in tokens: all it may write, and its prompt at four characters to a token."""
    return sum(len(message.content) for message in ask.messages) // 4 + ask.sampling.max_tokens
