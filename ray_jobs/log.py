"""The log: replies of open debates, soon durable, in segments of Arrow IPC.

A segment is deleted once every debate that it has rows of is in the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any

import pyarrow as pa

from analysis.schema import schema
from ray_jobs.segment import Segment, open_segment
from ray_jobs.store import Store

FLUSH_SECONDS = {True: 1.0, False: 15.0}  # between flushes, by whether the store is local

Row = dict[str, Any]


class Log:
    """One writer's log: `append`, and `flush` every `FLUSH_SECONDS`.

    It may be appended to while another thread flushes or releases, and never waits for the storage then.
    """

    def __init__(self, store: Store, writer: str) -> None:
        self._store = store
        self._folder = f"log/{writer}"
        self._rows: list[Row] = []
        self._count = 0
        self._current: Segment | None = None
        self._name = ""
        self._debates: dict[str, set[str]] = {}  # by segment: those it has rows of that are not in the tables
        self._fields = Lock()  # guards what stands above; held for moments
        self._writing = Lock()  # one flush after the other: no row is durable before those it follows from

    def append(self, row: Row) -> None:
        """Takes one row of the table `replies`; it is durable after the next `flush`."""
        with self._fields:
            self._rows.append(row)

    def flush(self) -> None:
        """Makes durable what was appended."""
        with self._writing:
            with self._fields:
                rows, self._rows = self._rows, []
            if rows:
                self._segment().write(pa.RecordBatch.from_pylist(rows, schema("replies")))
                with self._fields:
                    self._debates[self._name].update(row["debate_id"] for row in rows)

    def release(self, finished: Iterable[str]) -> None:
        """Forgets debates that are in the tables, and deletes the closed segments that hold no others."""
        done = set(finished)
        with self._fields:
            for debates in self._debates.values():
                debates -= done
            settled = [name for name, debates in self._debates.items() if not (debates or self._open(name))]
            for name in settled:
                del self._debates[name]
        for name in settled:
            self._store.delete(name)

    def close(self) -> None:
        """Ends the log; segments with unfinished debates stay for whoever continues the run."""
        self.flush()
        self._end_current()
        self.release(())

    def _segment(self) -> Segment:
        if self._current is not None and self._current.full:
            self._end_current()
        if self._current is None:
            name = f"{self._folder}/{self._count:06d}.arrow"
            self._current = open_segment(self._store, name)
            self._count += 1
            with self._fields:
                self._name, self._debates[name] = name, set()
        return self._current

    def _open(self, name: str) -> bool:
        return self._current is not None and name == self._name

    def _end_current(self) -> None:
        if self._current is not None:
            self._current.end()
            self._current = None
