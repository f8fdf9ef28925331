"""Debates of a run that end while others look on: what follows from them, as soon as it can be played."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator

import numpy as np

from ray_jobs.debate import Debate
from ray_jobs.ended import Ended, Extent, extents
from ray_jobs.ids import Numbers, among
from ray_jobs.lease import live_holders
from ray_jobs.plan import Plan
from ray_jobs.store import Store

LOOK_SECONDS = 3.0  # between looks whether further debates have ended; their parts come once a minute


class Following:
    """What some `stages` of a plan make of the debates of `run`; of that, `ended` has been played before."""

    def __init__(self, run: Store, plan: Plan, stages: Collection[str], ended: Ended) -> None:
        self._run, self._plan, self._stages, self._ended = run, plan, stages, ended
        self._debates = plan.debates()
        self._handed: Numbers = np.empty(0, np.uint64)
        self._parts: list[str] | None = None

    @property
    def live(self) -> bool:
        """Whether somebody plays the run now."""
        return bool(live_holders(self._run))

    def extents(self) -> list[Extent]:
        """How far the stages are; of a run that is not live they are at most of what has ended there."""
        live, there = self.live, self._ended.beside(Ended.of(self._run, failed_by=()))
        far = [each for each in extents(self._plan, self._debates, there) if each.stage in self._stages]
        if live:
            return far
        return [Extent(each.stage, each.ended, each.left, each.ended + len(each.left)) for each in far]

    def debates(self) -> Iterator[Debate | None]:
        """What is to be played, until nobody plays the run and nothing is left; None says wait."""
        while True:
            live = self.live  # looked at first: whoever is gone by now had written all
            yield from self._further()
            if not live:
                return
            again = time.monotonic() + LOOK_SECONDS
            while time.monotonic() < again:
                yield None

    def _further(self) -> Iterator[Debate]:
        """What can be played by now and has not been handed out."""
        parts = self._run.names("tables/debates")
        if parts == self._parts:
            return
        self._parts = parts
        for extent in self.extents():
            new = extent.left.where(~among(extent.left.numbers, self._handed))
            self._handed = np.sort(np.concatenate([self._handed, new.numbers]))
            yield from new
