"""Requests and tokens per minute.

Not aiolimiter's AsyncLimiter: it refuses an amount above its capacity, lets small amounts overtake large
ones for ever, cannot be given tokens back, and admits twice its rate in the first minute. What remains of
it without these is the arithmetic below; the waiting is done by the gate, for all limits at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from serving.limits.limits_block import Limits
from serving.limits.share import WHOLE, Share

ROUNDING = 1e-9
"""What sums of floating point numbers may be off, as a share of a bucket."""


class Bucket:
    """Leaks `per_minute` units per minute and holds `burst`. Times are seconds of any steady clock.

    It begins full at `since`, so that a new start is granted nothing anew. In any 60 s, what is taken less
    what is given back is at most `per_minute` + `burst`. An amount above `burst` is taken from an empty
    bucket and overfills it (then: at most that amount more), so on average the rate holds for amounts of any
    size. The first such amount waits for its `share` of the time in which the rate grants it: so replicas
    that begin together with equal amounts go on one by one, at equal distances.
    """

    def __init__(self, per_minute: float, burst: float, since: float = 0.0, share: Share = WHOLE) -> None:
        self._per_second, self._burst = per_minute / 60.0, burst
        self._level, self._seen = burst, since
        self._since, self._first = since, (share.number + 1) / share.replicas
        self._untouched = True

    def delay(self, amount: float, now: float) -> float:
        """Seconds until `amount` may be taken; 0 when it may be taken now."""
        if self._untouched and amount > self._burst:
            excess = self._first * amount - (now - self._since) * self._per_second
        else:
            excess = self._leaked(now) + min(amount, self._burst) - self._burst
        return excess / self._per_second if excess > ROUNDING * self._burst else 0.0

    def take(self, amount: float, now: float) -> None:
        """Takes `amount`; a negative amount is given back. What has leaked away is not given back."""
        self._level = self._leaked(now) + amount
        self._untouched = False

    def _leaked(self, now: float) -> float:
        if self._level:
            self._level = max(0.0, self._level - (now - self._seen) * self._per_second)
        self._seen = now
        return self._level


class Turns:
    """What a replica has of a rate whose burst is too small for each replica to hold one request of it.

    Turns of the length that the rate grants one request in go round the replicas. A request waits for the
    next turn of its replica to begin, and a turn that nobody waits for is lost: so all replicas together send
    at most one request in each turn, whenever they are asked.
    """

    def __init__(self, per_minute: float, since: float, share: Share) -> None:
        self._length = 60.0 / (per_minute * share.replicas)
        self._share, self._earliest = share, since
        self._booked: float | None = None

    def delay(self, _: float, now: float) -> float:
        """Seconds until the request may be sent; 0 when it may be sent now."""
        if self._booked is None or now >= self._booked + self._length:
            self._booked = self._share.turn(max(now, self._earliest), self._length)
        wait = self._booked - now
        return wait if wait > ROUNDING * self._length else 0.0

    def take(self, _: float, now: float) -> None:
        """Uses the turn that is booked up."""
        self._booked, self._earliest = None, now + self._length / 2


class Rates:
    """The two rates of one replica's share of a model, of which either or both may be unlimited.

    `limits` are those of the share.
    """

    def __init__(self, limits: Limits, share: Share = WHOLE, since: float = 0.0) -> None:
        self._requests: Bucket | Turns | None = None
        if limits.requests_per_minute is not None:
            self._requests = (
                Bucket(limits.requests_per_minute, limits.at_once, since)
                if limits.at_once
                else Turns(limits.requests_per_minute, since, share)
            )
        self._tokens: Bucket | None = None
        if limits.tokens_per_minute is not None:
            self._tokens = Bucket(limits.tokens_per_minute, limits.tokens_per_minute / 60.0, since, share)

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

    def _charges(self, tokens: int) -> Iterator[tuple[Bucket | Turns, float]]:
        if self._requests is not None:
            yield self._requests, 1.0
        if self._tokens is not None:
            yield self._tokens, float(tokens)
