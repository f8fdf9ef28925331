"""How many asks may be in flight: as many as the provider takes, found out by asking."""

from __future__ import annotations

from serving.limits.limits_block import Limits


class Adaptive:
    """A limit on the asks in flight, always within 1..`in_flight`. Times are seconds of any steady clock.

    A round is as many successes as the limit. From `start` the limit doubles after each clean round until
    it is cut for the first time, and grows by one after each clean round from then on. A refusal (429) cuts
    it to `cut_to` of itself. An ask sent before the last cut says nothing of the limit since, and within
    `cut_cooldown` seconds after a cut there is no other: so a burst of refusals cuts once. Successes count
    only while at least half of the limit is in flight, since room that nobody uses is not proven.
    """

    def __init__(self, in_flight: int, limits: Limits) -> None:
        self.limit = min(limits.start, in_flight)
        self.cuts = 0
        self._in_flight, self._cut_to, self._cooldown = in_flight, limits.cut_to, limits.cut_cooldown
        self._clean = 0
        self._last_cut = float("-inf")

    def succeeded(self, sent: float, busy: int) -> None:
        """An ask sent at `sent` was answered while `busy` asks, itself among them, were in flight."""
        if sent <= self._last_cut or 2 * busy < self.limit:
            return
        self._clean += 1
        if self._clean >= self.limit:
            self._grow()

    def refused(self, sent: float, now: float) -> None:
        """An ask sent at `sent` was refused at `now` because there were too many."""
        self._clean = 0
        if sent <= self._last_cut or now < self._last_cut + self._cooldown:
            return
        self.limit = max(1, int(self.limit * self._cut_to))
        self.cuts += 1
        self._last_cut = now

    def _grow(self) -> None:
        self._clean = 0
        self.limit = min(self._in_flight, self.limit + (1 if self.cuts else self.limit))
