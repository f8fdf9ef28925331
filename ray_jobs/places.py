"""Places at an engine, and the line of those who wait for one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count


class Places:
    """So many places. Whoever has the lowest rank is served first, and of equal ranks whoever came first.

    Nobody passes the first in line, so one that needs many places gets them however many ask for one.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._arrivals = count()
        self._line: list[tuple[float, int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def take(self, rank: float, places: int = 1) -> AsyncIterator[None]:
        """Waits for so many places and holds them; more than there are would never come."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._line, (rank, next(self._arrivals), places, turn))
        self._serve()
        try:
            await turn
            yield
        finally:
            turn.cancel()  # without effect on one that has come
            if not turn.cancelled():
                self._free += places
            self._serve()

    def _serve(self) -> None:
        while self._line:
            _, _, places, turn = self._line[0]
            if not turn.cancelled():
                if places > self._free:
                    return
                self._free -= places
                turn.set_result(None)
            heappop(self._line)
