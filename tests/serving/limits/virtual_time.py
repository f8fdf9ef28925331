"""An event loop whose clock jumps to whatever happens next: hours of waiting take milliseconds."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import TypeVar

T = TypeVar("T")
DAY = 24 * 3600.0


class _Skipping(selectors.SelectSelector):
    """Instead of waiting for `timeout` seconds, moves its clock on by them."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout >= DAY:
            raise RuntimeError("everything waits, and nothing will ever happen")
        self.now += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """Its `time` begins at 0 and passes only while everything waits."""

    def __init__(self) -> None:
        self._skipping = _Skipping()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


def now() -> float:
    """The time of the running loop: the clock to give to what is tested."""
    return asyncio.get_running_loop().time()


def run(story: Coroutine[object, object, T]) -> T:
    """What `story` returns, in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)
