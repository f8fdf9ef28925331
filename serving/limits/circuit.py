"""A provider that keeps failing is left alone for a while, then tried with one ask."""

from __future__ import annotations

from typing import Literal

FAILURES = 8
"""More than the tries of one ask: an ask that always fails does not keep the others out by itself."""
COOLDOWN_SECONDS = 5.0
LONGEST_SECONDS = 60.0


class Circuit:
    """Closed: all pass. Open: none. Probing: one has passed and is waited for.

    `failures` failures in a row open it for `cooldown` seconds; the ask that passes then is the probe. If
    it fails, the circuit opens again, for twice as long each time up to `longest`; if it is answered, the
    circuit closes. The cooldown begins anew from its first length after `failures` answers without a
    failure. An ask sent before the circuit opened changes nothing once it has: no open time is ever
    shortened or prolonged. Times are seconds of any steady clock.
    """

    def __init__(
        self, failures: int = FAILURES, cooldown: float = COOLDOWN_SECONDS, longest: float = LONGEST_SECONDS
    ) -> None:
        self.state: Literal["closed", "open", "probing"] = "closed"
        self._failures, self._first, self._longest = failures, cooldown, longest
        self._cooldown = cooldown
        self._in_a_row, self._answers = 0, 0
        self._opened, self._until = float("-inf"), float("-inf")

    def delay(self, now: float) -> float:
        """Seconds until an ask may pass, as far as known now: infinite while a probe is out."""
        match self.state:
            case "closed":
                return 0.0
            case "open":
                return max(0.0, self._until - now)
            case "probing":
                return float("inf")

    def enter(self) -> None:
        """An ask passes, `delay` being 0."""
        if self.state == "open":
            self.state = "probing"

    def answered(self, sent: float) -> None:
        """The provider has answered an ask sent at `sent`."""
        if sent <= self._opened:
            return
        self.state = "closed"
        self._in_a_row = 0
        self._answers += 1
        if self._answers >= self._failures:
            self._cooldown = self._first

    def failed(self, sent: float, now: float) -> None:
        """An ask sent at `sent` has failed at `now`."""
        if sent <= self._opened:
            return
        self._in_a_row += 1
        self._answers = 0
        if self.state == "probing" or self._in_a_row >= self._failures:
            self._open(now)

    def unclear(self, sent: float) -> None:
        """An ask sent at `sent` has ended without telling anything: refused by a rate limit, or given up."""
        if self.state == "probing" and sent > self._opened:
            self.state = "open"

    def _open(self, now: float) -> None:
        self.state = "open"
        self._opened, self._until = now, now + self._cooldown
        self._cooldown = min(self._longest, 2 * self._cooldown)
