"""The log: replies of open debates, durable within a second, in segments of Arrow IPC.

A segment is deleted once every debate that it has rows of is in the tables.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from analysis.schema import schema
from ray_jobs.store import Store, not_written

SEGMENT_BYTES = 16 * 2**20  # small enough that few finished replies linger, large enough that files are few

Row = dict[str, Any]


@dataclass
class Segment:
    """One file of the log: its name, the debates it has rows of that are not in the tables, its bytes."""

    name: str
    file: BinaryIO
    stream: pa.RecordBatchStreamWriter
    debates: set[str] = field(default_factory=set)
    size: int = 0

    def write(self, rows: list[Row]) -> None:
        """Writes the rows as one batch and syncs it to disk."""
        batch = pa.RecordBatch.from_pylist(rows, schema("replies"))
        try:
            self.stream.write_batch(batch)
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise not_written(self.name, error) from None
        self.debates.update(row["debate_id"] for row in rows)
        self.size += batch.nbytes

    def end(self) -> None:
        """Ends the stream; nothing more is written to it."""
        self.stream.close()
        self.file.close()


class Log:
    """One writer's log on a local file system: `append`, and `flush` every second."""

    def __init__(self, store: Store, writer: str) -> None:
        self._store = store
        self._folder = f"log/{writer}"
        self._rows: list[Row] = []
        self._count = 0
        self._closed: list[Segment] = []
        self._current: Segment | None = None
        Path(store.path(self._folder)).mkdir(parents=True, exist_ok=True)

    def append(self, row: Row) -> None:
        """Takes one row of the table `replies`; it is durable after the next `flush`."""
        self._rows.append(row)

    def flush(self) -> None:
        """Makes durable what was appended."""
        if self._rows:
            rows, self._rows = self._rows, []
            self._segment().write(rows)

    def release(self, finished: Iterable[str]) -> None:
        """Forgets debates that are in the tables, and deletes the closed segments that hold no others."""
        done = set(finished)
        for segment in [*self._closed, *filter(None, [self._current])]:
            segment.debates -= done
        for segment in self._closed:
            if not segment.debates:
                self._store.delete(segment.name)
        self._closed = [segment for segment in self._closed if segment.debates]

    def close(self) -> None:
        """Ends the log; segments with unfinished debates stay for whoever continues the run."""
        self.flush()
        self._end_current()
        self.release(())

    def _segment(self) -> Segment:
        if self._current is not None and self._current.size > SEGMENT_BYTES:
            self._end_current()
        if self._current is None:
            name = f"{self._folder}/{self._count:06d}.arrow"
            file = Path(self._store.path(name)).open("xb")  # noqa: SIM115 - open as long as the segment grows
            self._current = Segment(name, file, pa.ipc.new_stream(file, schema("replies")))
            self._count += 1
        return self._current

    def _end_current(self) -> None:
        if self._current is not None:
            self._current.end()
            self._closed.append(self._current)
            self._current = None
