"""The one way to a remote model: every limit on it, in one line of waiting asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from serving.errors import (
    BudgetSpent,
    DeadlinePassed,
    Overloaded,
    RateLimited,
    ServingError,
    TransportError,
)
from serving.limits.adaptive import Adaptive
from serving.limits.circuit import Circuit
from serving.limits.limits_block import Limits
from serving.limits.rates import Rates


class Gate:
    """Lets asks through, first come first served, at most `in_flight` at once.

    `clock` is to be the one the event loop sleeps by. One gate serves one event loop.
    """

    def __init__(self, limits: Limits, in_flight: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._patience = clock, limits.patience
        self._adaptive = Adaptive(in_flight, limits.start)
        self._rates = Rates(limits)
        self._circuit = Circuit()
        self._held_until = float("-inf")
        self._last_success = float("-inf")
        self._busy, self._waiting = 0, 0
        self._turn, self._changed = asyncio.Lock(), asyncio.Event()

    @asynccontextmanager
    async def passage(self, tokens: int) -> AsyncIterator[float]:
        """Waits until an ask of `tokens` tokens (prompt and reply) may be sent; gives the seconds waited.

        The block sends it. How the block ends tells the gate about the model: RateLimited cuts concurrency
        and holds all asks for its `retry_after`, Overloaded, TransportError and DeadlinePassed may open the
        circuit, BudgetSpent says nothing, as everything else that is no `ServingError`, and any other of
        these is an answer.
        The tokens stay charged until `settle`, also after an error, since a provider may count them.
        """
        came = self._clock()
        await self._enter(tokens)
        sent = self._clock()
        try:
            yield sent - came
        except BaseException as error:
            self._learn(error, sent)
            raise
        else:
            self._learn(None, sent)
        finally:
            self._busy -= 1
            self._changed.set()

    def settle(self, reserved: int, used: int) -> None:
        """Corrects a passage of `reserved` tokens to the `used` ones: gives tokens back, or takes more."""
        self._rates.settle(reserved, used, self._clock())
        self._changed.set()

    def last_success(self) -> float:
        """When the clock stood at the model's last answer; minus infinity before the first."""
        return self._last_success

    @property
    def status(self) -> dict[str, float | str]:
        """For people: `limit` on asks in flight, `in_flight`, `waiting`, `cuts`, and the `circuit`.

        `retry_in` are the seconds until the circuit lets a probe pass, `held` those left of a Retry-After.
        """
        now = self._clock()
        status: dict[str, float | str] = {
            "limit": self._adaptive.limit,
            "in_flight": self._busy,
            "waiting": self._waiting,
            "cuts": self._adaptive.cuts,
            "circuit": self._circuit.state,
            "held": max(0.0, self._held_until - now),
        }
        if self._circuit.state == "open":
            status["retry_in"] = self._circuit.delay(now)
        return status

    async def _enter(self, tokens: int) -> None:
        self._waiting += 1
        try:
            async with self._turn:
                while (wait := self._wait(tokens)) > 0.0:
                    await self._pause(wait)
                self._circuit.enter()
                self._rates.take(tokens, self._clock())
                self._busy += 1
        finally:
            self._waiting -= 1

    def _wait(self, tokens: int) -> float:
        """Seconds until the first in line may pass unless something changes before; may be infinite."""
        if self._busy >= self._adaptive.limit:
            return float("inf")
        now = self._clock()
        return max(self._held_until - now, self._circuit.delay(now), self._rates.delay(tokens, now))

    async def _pause(self, seconds: float) -> None:
        """Until `seconds` have passed or something has changed."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    def _learn(self, error: BaseException | None, sent: float) -> None:
        now = self._clock()
        match error:
            case RateLimited(retry_after=retry_after):
                self._adaptive.refused(sent, now)
                self._circuit.unclear(sent)
                self._held_until = max(self._held_until, now + min(retry_after or 0.0, self._patience))
            case Overloaded() | TransportError() | DeadlinePassed():
                self._circuit.failed(sent, now)
            case BudgetSpent():
                self._circuit.unclear(sent)
            case ServingError() | None:
                self._last_success = now
                self._adaptive.succeeded(sent, self._busy)
                self._circuit.answered(sent)
            case _:
                self._circuit.unclear(sent)
