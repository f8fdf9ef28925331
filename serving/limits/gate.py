"""The one way to a remote model: every limit on it, in one line of waiting asks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from copy import copy

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
from serving.limits.condition import Condition
from serving.limits.limits_block import Limits
from serving.limits.minute import Minute
from serving.limits.rates import Rates
from serving.limits.share import WHOLE, Share

TOLD = 200  # characters of a failure


class Gate:
    """Lets asks through, first come first served, at most `in_flight` at once.

    `clock` is to be the one the event loop sleeps by. One gate serves one event loop. `limits` are those of
    the replica's `share` of the model.
    """

    def __init__(
        self,
        limits: Limits,
        in_flight: int,
        clock: Callable[[], float] = time.monotonic,
        share: Share = WHOLE,
    ) -> None:
        self._clock, self._limits, self._ceiling = clock, limits, in_flight
        self._adaptive = Adaptive(in_flight, limits)
        self._rates, self._minute = Rates(limits, share, clock()), Minute()
        self._circuit = Circuit(limits.circuit)
        self._held_until = float("-inf")
        self._last_success = float("-inf")
        self._last_failure: tuple[float, str] | None = None
        self._busy = 0
        self._line: dict[object, float] = {}  # since when who waits, the first in line first
        self._turn, self._changed = asyncio.Lock(), asyncio.Event()
        self._stopped: ServingError | None = None
        self._over = asyncio.Event()

    @asynccontextmanager
    async def passage(self, tokens: int) -> AsyncIterator[float]:
        """Waits until an ask of `tokens` tokens (prompt and reply) may be sent; gives the seconds waited.

        The block sends it. How the block ends tells the gate about the model: RateLimited cuts concurrency
        and holds all asks for its `retry_after`, unless that is longer than the patience: then it is the
        ask's own affair, and others find out for themselves. Overloaded, TransportError and DeadlinePassed
        may open the circuit, BudgetSpent says nothing, as everything else that is no `ServingError`, and any
        other of these is an answer. Raises what the model was stopped by, at once, instead of waiting.
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
        now = self._clock()
        self._rates.settle(reserved, used, now)
        self._minute.add(0, used - reserved, now)
        self._changed.set()

    def stop(self, error: ServingError) -> None:
        """The model has stopped: who waits here, and whoever comes, is told the same and sends nothing."""
        self._stopped = self._stopped or error
        self._over.set()
        self._changed.set()

    async def rest(self, seconds: float) -> None:
        """Sleeps for so long, but no longer than until the model has stopped."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._over.wait()

    def last_success(self) -> float:
        """When the clock stood at the model's last answer; minus infinity before the first."""
        return self._last_success

    @property
    def condition(self) -> Condition:
        """How it stands now, for people."""
        now = self._clock()
        failed_at, failure = self._last_failure or (None, None)
        return Condition(
            limit=self._adaptive.limit,
            ceiling=self._ceiling,
            in_flight=self._busy,
            cuts=self._adaptive.cuts,
            waiting=len(self._line),
            waited=now - next(iter(self._line.values()), now),
            circuit=self._circuit.state,
            retry_in=self._circuit.delay(now) if self._circuit.state == "open" else None,
            failure=failure,
            failed_ago=None if failed_at is None else now - failed_at,
            answered_ago=None if self._last_success == float("-inf") else now - self._last_success,
            held=max(0.0, self._held_until - now),
            requests=self._minute.requests(now),
            requests_per_minute=self._limits.requests_per_minute,
            tokens=self._minute.tokens(now),
            tokens_per_minute=self._limits.tokens_per_minute,
        )

    async def _enter(self, tokens: int) -> None:
        place = object()
        self._line[place] = self._clock()
        try:
            async with self._turn:
                while self._stopped is None and (wait := self._wait(tokens)) > 0.0:
                    await self._pause(wait)
                self._check()
                self._circuit.enter()
                self._rates.take(tokens, self._clock())
                self._minute.add(1, tokens, self._clock())
                self._busy += 1
        finally:
            del self._line[place]

    def _check(self) -> None:
        """Raises an error of its own for each ask, for notes and attempts are written on it."""
        if self._stopped is not None:
            told = copy(self._stopped)
            told.spent = told.unsent = True
            raise told

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
                if retry_after is not None and retry_after <= self._limits.patience:
                    self._held_until = max(self._held_until, now + retry_after)
            case Overloaded() | TransportError() | DeadlinePassed():
                self._last_failure = now, f"{error.kind}: {error}"[:TOLD]
                self._circuit.failed(sent, now)
            case BudgetSpent():
                self._circuit.unclear(sent)
            case ServingError() | None:
                self._last_success = now
                self._adaptive.succeeded(sent, self._busy)
                self._circuit.answered(sent)
            case _:
                self._circuit.unclear(sent)
