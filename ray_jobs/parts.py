"""Table parts: the rows of ended debates, written together and never replaced.

The part of `debates` is written last. A debate that it names has all its rows in the other tables;
parts of the same name in other tables without one in `debates` are left over from a crash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from analysis import part as stored
from analysis.schema import schema
from ray_jobs.log import Row
from ray_jobs.store import Store

PART_BYTES = 64 * 2**20
GROUP_BYTES = 4 * 2**20  # of a row group: what waits uncompressed
PART_SECONDS = 60.0
ORDER = ("replies", "turns", "judgments", "failures", "debates")

Rows = Mapping[str, list[Row]]


def part_name(table: str, stem: str) -> str:
    """Where a part of a table stands within the run."""
    return f"tables/{table}/{stem}.parquet"


def write_part(store: Store, table: str, stem: str, rows: list[Row]) -> None:
    """Writes rows as one Parquet part with the table's full schema."""
    part = Part(table)
    part.add(rows)
    store.write(part_name(table, stem), part.end())


def read_parts(store: Store, table: str, columns: Sequence[str], writer: str = "") -> Iterator[pa.Table]:
    """Each part of a table, of one writer or of all, with these columns.

    Raises `PartError` for one that is damaged or foreign.
    """
    for name in store.names(f"tables/{table}"):
        if not _is_of(name, writer):
            continue
        part = stored.Part(table, store.path(name))
        yield store.ask(name, partial(stored.load, store.fs, part, columns))


def remove_leftovers(store: Store, writer: str = "") -> list[str]:
    """Deletes parts, of one writer or all, whose debates never came into `debates`; returns their names."""
    stems = {name.rsplit("/", 1)[1] for name in store.names("tables/debates")}
    left = [
        name
        for table in ("replies", "turns", "judgments")
        for name in store.names(f"tables/{table}")
        if _is_of(name, writer) and name.rsplit("/", 1)[1] not in stems
    ]
    for name in left:
        store.delete(name)
    return left


def _is_of(name: str, writer: str) -> bool:
    """Whether a part is by this writer; any is by "", which stands for all."""
    return not writer or name.rsplit("/", 1)[1].startswith(f"{writer}-")


class Part:
    """One part in the making; rows are encoded a group at a time, so what waits is held compressed."""

    def __init__(self, table: str) -> None:
        self._schema = schema(table)
        self._sink = BytesIO()
        self._writer = pq.ParquetWriter(self._sink, self._schema, compression="zstd")
        self._rows: list[Row] = []
        self._waiting = 0

    def add(self, rows: list[Row]) -> int:
        """Takes in rows; returns about how many bytes they are."""
        size = sum(map(_size, rows))
        self._rows += rows
        self._waiting += size
        if self._waiting >= GROUP_BYTES:
            self._encode()
        return size

    def end(self) -> bytes:
        """The whole file."""
        self._encode()
        self._writer.close()
        return self._sink.getvalue()

    def _encode(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows, self._waiting = [], 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Parts by table, to be written under one stem, and the debates that are in the tables then."""

    stem: str
    parts: Mapping[str, bytes]
    finished: Sequence[str]


def write_batch(store: Store, batch: Batch) -> None:
    """Writes the parts of a batch, `debates` last."""
    for table in ORDER:
        if table in batch.parts:
            store.write(part_name(table, batch.stem), batch.parts[table])


class Parts:
    """One writer's parts: `add` the rows of a debate when it ends, `take` a batch when it is `due`.

    `number` is that of the batch in the making.
    """

    def __init__(self, writer: str) -> None:
        self._writer = writer
        self.number = 0
        self._since: float | None = None
        self._begin()

    def add(self, rows: Rows, now: float) -> None:
        """Takes in all rows of one ended debate; `now` is in seconds of a steady clock."""
        for table, of_table in rows.items():
            if table not in self._parts:
                self._parts[table] = Part(table)
            self._bytes += self._parts[table].add(of_table)
        self._finished += [row["debate_id"] for row in rows.get("debates", ())]
        self._since = now if self._since is None else self._since

    def due(self, now: float) -> bool:
        """Whether what was added fills a part, or has waited long enough."""
        waited = self._since is not None and now - self._since >= PART_SECONDS
        return waited or self._bytes >= PART_BYTES

    def take(self) -> Batch:
        """What was added since the last batch, maybe nothing; the caller writes it."""
        parts = {table: part.end() for table, part in self._parts.items()}
        batch = Batch(f"{self._writer}-{self.number:06d}", parts, self._finished)
        self.number += 1
        self._begin()
        return batch

    def _begin(self) -> None:
        self._parts: dict[str, Part] = {}
        self._finished: list[str] = []
        self._bytes = 0
        self._since = None


def _size(row: Row) -> int:
    texts = sum(len(value) for value in row.values() if isinstance(value, str))
    return texts + sum(len(message["content"]) for message in row.get("messages") or ())
