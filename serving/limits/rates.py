"""Requests and tokens per minute.

Not aiolimiter's AsyncLimiter: it refuses an amount above its capacity, lets small amounts overtake large
ones for ever, cannot be given tokens back, and admits twice its rate in the first minute. What remains of
it without these is the arithmetic below; the waiting is done by the gate, for all limits at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from serving.limits.limits_block import Limits

ROUNDING = 1e-9
"""What sums of floating point numbers may be off, as a share of a bucket."""


class Bucket:
    """Leaks `per_minute` units per minute and holds `burst`. Times are seconds of any steady clock.

    In any 60 s, what is taken less what is given back is at most `per_minute` + `burst`. An amount above
    `burst` is taken from an empty bucket and overfills it (then: at most that amount more), so on average
    the rate holds for amounts of any size.
    """

    def __init__(self, per_minute: float, burst: float) -> None:
        self._per_second, self._burst = per_minute / 60.0, burst
        self._level, self._seen = 0.0, float("-inf")

    def delay(self, amount: float, now: float) -> float:
        """Seconds until `amount` may be taken; 0 when it may be taken now."""
        excess = self._leaked(now) + min(amount, self._burst) - self._burst
        return excess / self._per_second if excess > ROUNDING * self._burst else 0.0

    def take(self, amount: float, now: float) -> None:
        """Takes `amount`; a negative amount is given back. What has leaked away is not given back."""
        self._level = self._leaked(now) + amount

    def _leaked(self, now: float) -> float:
        if self._level:
            self._level = max(0.0, self._level - (now - self._seen) * self._per_second)
        self._seen = now
        return self._level


class Rates:
    """The two rates of a model, of which either or both may be unlimited."""

    def __init__(self, limits: Limits) -> None:
        self._requests = _bucket(limits.requests_per_minute, limits.burst)
        self._tokens = _bucket(limits.tokens_per_minute, None)

    def delay(self, tokens: int, now: float) -> float:
        """Seconds until one request of `tokens` tokens may be sent; 0 when it may be sent now."""
        return max((bucket.delay(amount, now) for bucket, amount in self._charges(tokens)), default=0.0)

    def take(self, tokens: int, now: float) -> None:
        """Charges one request of `tokens` tokens."""
        for bucket, amount in self._charges(tokens):
            bucket.take(amount, now)

    def settle(self, reserved: int, used: int, now: float) -> None:
        """Corrects a charge of `reserved` tokens to the `used` ones."""
        if self._tokens is not None:
            self._tokens.take(used - reserved, now)

    def _charges(self, tokens: int) -> Iterator[tuple[Bucket, float]]:
        if self._requests is not None:
            yield self._requests, 1.0
        if self._tokens is not None:
            yield self._tokens, float(tokens)


def _bucket(per_minute: float | None, burst: float | None) -> Bucket | None:
    if per_minute is None:
        return None
    return Bucket(per_minute, burst or max(1.0, per_minute / 60.0))
