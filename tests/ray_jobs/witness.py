"""Agents that write down every ask that meets their backend: what a run has really asked, and asked again.

`python -m tests.ray_jobs.witness RECORD run FILE ...` is the command `moot`, its agents so watched.
"""

import os
import sys
import time

from protocols.dialogue import Ask, Reply
from ray_jobs import crew
from ray_jobs.agent import Agent
from ray_jobs.cli import main
from serving.backend import Backend


class Witness:
    """A backend that notes in a file when each ask came, and when it was answered or failed."""

    def __init__(self, backend: Backend, record: str) -> None:
        self._backend, self.in_flight = backend, backend.in_flight
        self.probe, self.close = backend.probe, backend.close
        self._file = os.open(record, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self._asks = 0

    async def answer(self, ask: Ask) -> Reply:
        """As the backend does."""
        self._asks += 1
        number = self._asks
        self._note("asked", number, ask)
        what = "failed"
        try:
            reply = await self._backend.answer(ask)
            what = "answered"
        finally:
            self._note(what, number, ask)
        return reply

    def _note(self, what: str, number: int, ask: Ask) -> None:
        place = f"{ask.facts.case_id} {ask.seat} {ask.round} {ask.seed}"
        os.write(self._file, f"{what} {time.time()} {os.getpid()} {number} {place}\n".encode())


def watched(record: str) -> type[Agent]:
    """Agents whose backends are witnessed. The class is a local one, so it travels with its `record`."""

    class WatchedAgent(Agent):
        async def open(self) -> int:
            in_flight = await super().open()
            self._backend = Witness(self._backend, record)
            return in_flight

    WatchedAgent.__name__ = WatchedAgent.__qualname__ = Agent.__name__  # by which its process is called
    return WatchedAgent


if __name__ == "__main__":
    crew.Agent = watched(sys.argv.pop(1))  # type: ignore[attr-defined]
    main()
