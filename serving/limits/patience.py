"""Asking again: what is worth it, when, and for how long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from serving.errors import DeadlinePassed, Overloaded, RateLimited, ServingError, TransportError

T = TypeVar("T")

BACKOFF = wait_random_exponential(multiplier=1, min=0.5, max=60)
"""Seconds before the next attempt where the server names none: at least half of one, at most a minute."""
AGAIN = (RateLimited, Overloaded, TransportError, DeadlinePassed)
"""After these it is worth asking again."""
ALONE = 6
"""An ask that is refused while others are answered is given this many times the patience."""


async def patient(
    call: Callable[[], Awaitable[T]],
    *,
    tries: int,
    patience: float = 600.0,
    last_success: Callable[[], float] = lambda: float("-inf"),
    spares: Callable[[ServingError], bool] = lambda _: False,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> tuple[T, int, float]:
    """The result of `call`, the number of attempts it took, and the seconds waited between them.

    Overloaded, TransportError and DeadlinePassed are tried `tries` times in all, not counting attempts that
    end in what it `spares`. RateLimited costs no try;
    it is given up when the next attempt would come more than `patience` seconds after both this ask's
    first refusal and the model's `last_success` (a time of `clock`), or more than six times `patience`
    after the first refusal alone: then the model, which answers others, is not stopped. A `retry_after` is
    waited out in full, never less; no wait longer than `patience` is begun. Only a RateLimited that asks for
    more while the model has answered others within the `patience` is waited for as long as that, and the ask
    put again: by then it shows whether the model answers anybody. Whatever else `call` raises, and what is
    `spent`, is raised at once; on giving up, its last error, with a note of the attempts, the seconds waited,
    and the wait that was asked for. Waiting inside `call`, as for a gate, is not counted here.
    """
    course = _Course(tries, patience, last_success, spares, clock, sleep)
    try:
        try:
            return await call(), 1, 0.0  # nearly every ask; tenacity would cost it a tenth of a millisecond
        except AGAIN as error:
            if error.spent:
                raise
            result: T = await _again(call, error, course)
    except ServingError as error:
        error.attempts = course.attempts
        if error.retriable and not error.spent:
            error.spent = True
            error.stops_model = error.stops_model and not course.alone
            error.add_note(course.story())
        raise
    return result, course.attempts, course.waited


async def _again(call: Callable[[], Awaitable[T]], first: ServingError, course: _Course) -> T:
    """The result of an attempt after the `first` one, which has failed."""
    failed = [first]

    async def attempt() -> T:
        if failed:
            raise failed.pop()
        course.attempts += 1
        return await call()

    again: AsyncRetrying = AsyncRetrying(
        sleep=course.doze, wait=_pause, stop=course.over, retry=retry_if_exception(_worth_it), reraise=True
    )
    result: T = await again(attempt)
    return result


class _Course:
    """How the attempts at one ask have gone so far."""

    def __init__(
        self,
        tries: int,
        patience: float,
        last_success: Callable[[], float],
        spares: Callable[[ServingError], bool],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self._tries, self._patience = tries, patience
        self._last_success, self._spares = last_success, spares
        self._clock, self._sleep = clock, sleep
        self._failures = 0
        self._first_refusal: float | None = None
        self._next_wait = 0.0
        self.attempts, self.waited, self.alone = 1, 0.0, False

    async def doze(self, seconds: float) -> None:
        """Waits, and counts how long that really took."""
        began = self._clock()
        await self._sleep(min(seconds, self._patience))
        self.waited += self._clock() - began

    def over(self, state: RetryCallState) -> bool:
        """Whether the attempt that has just failed was the last one."""
        self._next_wait = state.upcoming_sleep
        error = _error(state)
        if isinstance(error, RateLimited):
            return self._out_of_patience(state.upcoming_sleep)
        if isinstance(error, ServingError) and self._spares(error):
            return False
        self._failures += 1
        return self._failures >= self._tries or state.upcoming_sleep > self._patience

    def story(self) -> str:
        """What to tell of the attempts when they have ended."""
        return (
            f"attempts: {self.attempts}; waited between them: {self.waited:.1f} s;"
            f" the next would have come after {self._next_wait:.1f} s"
        )

    def _out_of_patience(self, wait: float) -> bool:
        now = self._clock()
        if self._first_refusal is None:
            self._first_refusal = now
        others_are = wait > self._patience and now - self._last_success() <= self._patience
        silence = now + wait - max(self._first_refusal, self._last_success())
        nobody_answered = silence > self._patience and not others_are
        tried = now + min(wait, self._patience) - self._first_refusal
        self.alone = not nobody_answered and tried > ALONE * self._patience
        return nobody_answered or self.alone


def _worth_it(error: BaseException) -> bool:
    return isinstance(error, AGAIN) and not error.spent


def _pause(state: RetryCallState) -> float:
    error = _error(state)
    if isinstance(error, RateLimited | Overloaded) and error.retry_after is not None:
        return error.retry_after
    return BACKOFF(state)


def _error(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None
