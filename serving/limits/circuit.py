"""A provider that keeps failing is left alone for a while, then tried with one ask."""

from __future__ import annotations

from collections import deque
from typing import Literal

from serving.limits.limits_block import CircuitLimits


class Circuit:
    """Closed: all pass. Open: none. Probing: one has passed and is waited for.

    It opens, for `cooldown` seconds, once failures are the share `failures` of a `window` of calls: as soon
    as so many of the last `window` calls have failed, so a provider that never answers opens it before the
    window is full. The ask that passes then is the probe. If it fails, the circuit opens again, for twice
    as long each time up to `longest`; if it is answered, the circuit closes and counts calls anew. The
    cooldown begins again from its first length after a whole window of calls that did not open it. An ask
    sent before the circuit opened changes nothing once it has: no open time is ever shortened or prolonged.
    Times are seconds of any steady clock.
    """

    def __init__(self, limits: CircuitLimits) -> None:
        self.state: Literal["closed", "open", "probing"] = "closed"
        self._limits, self._cooldown = limits, limits.cooldown
        self._failed = deque[bool](maxlen=limits.window)
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
        self._failed.append(False)
        self._forget()

    def failed(self, sent: float, now: float) -> None:
        """An ask sent at `sent` has failed at `now`."""
        if sent <= self._opened:
            return
        self._failed.append(True)
        if self.state == "probing" or sum(self._failed) >= self._limits.enough:
            self._open(now)
        else:
            self._forget()

    def unclear(self, sent: float) -> None:
        """An ask sent at `sent` has ended without telling anything: refused by a rate limit, or given up."""
        if self.state == "probing" and sent > self._opened:
            self.state = "open"

    def _open(self, now: float) -> None:
        self.state = "open"
        self._failed.clear()
        self._opened, self._until = now, now + self._cooldown
        self._cooldown = min(self._limits.longest, 2 * self._cooldown)

    def _forget(self) -> None:
        """A whole window went by: earlier openings no longer count."""
        if len(self._failed) == self._limits.window:
            self._cooldown = self._limits.cooldown
