"""What a moderator brings to disk: replies into the log, debates that have ended into the tables."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from ray_jobs import lease
from ray_jobs.log import FLUSH_SECONDS, Log
from ray_jobs.parts import Batch, Parts, write_batch
from ray_jobs.store import Store

LOOK_SECONDS = 1.0  # between looks whether enough has ended to be brought to the tables


class Keeper:
    """Keeps what it is handed: rows of open debates in `log`, and all rows of one that has ended in `parts`.

    `batches` counts what has been brought to the tables. Each flush and each batch raises `LeaseLost` when
    the run is another process's by now, or its directory is gone: what is answered then comes to nothing.
    """

    def __init__(self, store: Store, writer: str, held: str) -> None:
        self._store, self._lease = store, held
        self.log = Log(store, writer)
        self.parts = Parts(writer)
        self.batches = 0
        self._closing = asyncio.Event()
        self._writing = asyncio.Lock()

    def start(self) -> None:
        """Begins to keep time."""
        loops = self._flush_again_and_again(), self._write_again_and_again()
        self.keeping: asyncio.Future[Any] = asyncio.gather(*loops)

    async def close(self) -> None:
        """Brings to disk all that there is."""
        self._closing.set()
        await self.keeping
        await self.write()
        await asyncio.to_thread(self.log.close)

    async def write(self) -> None:
        """Moves what has ended from the log to the tables; the debates go on meanwhile."""
        async with self._writing:
            await asyncio.to_thread(self._move, self.parts.take())
            self.batches += 1

    async def _flush_again_and_again(self) -> None:
        while not await self._closes_within(FLUSH_SECONDS[self._store.local]):
            if self._store.local:
                self._flush()
            else:
                await asyncio.to_thread(self._flush)

    async def _write_again_and_again(self) -> None:
        while not await self._closes_within(LOOK_SECONDS):
            if self.parts.due(time.monotonic()):
                await self.write()

    async def _closes_within(self, seconds: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        return self._closing.is_set()

    def _flush(self) -> None:
        lease.check(self._store, self._lease)
        self.log.flush()

    def _move(self, batch: Batch) -> None:
        self._flush()
        write_batch(self._store, batch)
        self.log.release(batch.finished)
