"""How much was sent within the last minute."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

SECONDS = 60


@dataclass(slots=True)
class _Second:
    number: int
    requests: int = 0
    tokens: int = 0


class Minute:
    """Counts requests and tokens by the second, and forgets what is a minute old.

    Times are seconds of any steady clock, never earlier than the last.
    """

    def __init__(self) -> None:
        self._seconds = deque[_Second](maxlen=SECONDS)

    def add(self, requests: int, tokens: int, now: float) -> None:
        """So much was sent at `now`; a negative number corrects what was said before."""
        if not self._seconds or self._seconds[-1].number != int(now):
            self._seconds.append(_Second(int(now)))
        self._seconds[-1].requests += requests
        self._seconds[-1].tokens += tokens

    def requests(self, now: float) -> int:
        """Requests sent in the minute that ends with this second."""
        return sum(second.requests for second in self._recent(now))

    def tokens(self, now: float) -> int:
        """Their tokens, as far as known by now; at least 0."""
        return max(0, sum(second.tokens for second in self._recent(now)))

    def _recent(self, now: float) -> list[_Second]:
        return [second for second in self._seconds if second.number > int(now) - SECONDS]
