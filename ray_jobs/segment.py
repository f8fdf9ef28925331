"""Segments of the log: what one is on this machine, and what on an object store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from analysis.schema import schema
from ray_jobs.store import Store, not_written

SEGMENT_BYTES = 16 * 2**20  # small enough that few finished replies linger, large enough that files are few


class Segment(Protocol):
    """One Arrow IPC stream of the log: batches are written to it until it is `full`, or is ended."""

    @property
    def full(self) -> bool:
        """Whether the next batch belongs into another segment."""

    def write(self, batch: pa.RecordBatch) -> None:
        """Makes the batch durable. Raises the `OSError` of one that could not be written."""

    def end(self) -> None:
        """Nothing more is written."""


class FileSegment:
    """A local file that grows; every batch is synced to disk."""

    def __init__(self, store: Store, name: str) -> None:
        self._path = Path(store.path(name))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("xb")
        self._stream = pa.ipc.new_stream(self._file, schema("replies"))
        self._bytes = 0

    @property
    def full(self) -> bool:
        """Whether it has outgrown `SEGMENT_BYTES`."""
        return self._bytes > SEGMENT_BYTES

    def write(self, batch: pa.RecordBatch) -> None:
        """Appends the batch."""
        try:
            self._stream.write_batch(batch)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise not_written(str(self._path), error) from None
        self._bytes += batch.nbytes

    def end(self) -> None:
        """Ends the stream."""
        self._stream.close()
        self._file.close()


class ObjectSegment:
    """An object, which can be written only as a whole: a stream of one batch."""

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self.full = False

    def write(self, batch: pa.RecordBatch) -> None:
        """Writes the object."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, batch.schema) as stream:
            stream.write_batch(batch)
        self._store.write(self._name, sink.getvalue().to_pybytes())
        self.full = True

    def end(self) -> None:
        """It has ended when it was written."""


def open_segment(store: Store, name: str) -> Segment:
    """A new segment of this name."""
    return FileSegment(store, name) if store.local else ObjectSegment(store, name)
