"""Table parts: the rows of ended debates, written together and never replaced.

The part of `debates` is written last. A debate that it names has all its rows in the other tables;
parts of the same name in other tables without one in `debates` are left over from a crash.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO

import pyarrow as pa
import pyarrow.parquet as pq

from analysis.schema import schema
from ray_jobs.log import Row
from ray_jobs.store import Store

PART_BYTES = 64 * 2**20
PART_SECONDS = 60.0
ORDER = ("replies", "turns", "judgments", "failures", "debates")

Rows = Mapping[str, list[Row]]


def part_name(table: str, stem: str) -> str:
    """Where a part of a table stands within the run."""
    return f"tables/{table}/{stem}.parquet"


def write_part(store: Store, table: str, stem: str, rows: list[Row]) -> None:
    """Writes rows as one Parquet part with the table's full schema."""
    sink = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema(table)), sink, compression="zstd")
    store.write(part_name(table, stem), sink.getvalue())


def remove_leftovers(store: Store) -> list[str]:
    """Deletes parts whose debates never came to stand in `debates`; returns their names."""
    stems = {name.rsplit("/", 1)[1] for name in store.names("tables/debates")}
    left = [
        name
        for table in ("replies", "turns", "judgments")
        for name in store.names(f"tables/{table}")
        if name.rsplit("/", 1)[1] not in stems
    ]
    for name in left:
        store.delete(name)
    return left


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of ended debates by table, to be written under one stem."""

    stem: str
    rows: Rows

    @property
    def finished(self) -> list[str]:
        """The ids of the debates that are in the tables once this is written."""
        return [row["debate_id"] for row in self.rows.get("debates", ())]


def write_batch(store: Store, batch: Batch) -> None:
    """Writes the parts of a batch, `debates` last."""
    for table in ORDER:
        if batch.rows.get(table):
            write_part(store, table, batch.stem, batch.rows[table])


class Parts:
    """One writer's parts: `add` the rows of a debate when it ends, `take` a batch when it is `due`."""

    def __init__(self, writer: str) -> None:
        self._writer = writer
        self._count = 0
        self._bytes = 0
        self._since: float | None = None
        self._rows: defaultdict[str, list[Row]] = defaultdict(list)

    def add(self, rows: Rows, now: float) -> None:
        """Takes in all rows of one ended debate; `now` is in seconds of a steady clock."""
        for table, of_table in rows.items():
            self._rows[table] += of_table
            self._bytes += sum(map(_size, of_table))
        self._since = now if self._since is None else self._since

    def due(self, now: float) -> bool:
        """Whether what was added fills a part, or has waited long enough."""
        waited = self._since is not None and now - self._since >= PART_SECONDS
        return waited or self._bytes >= PART_BYTES

    def take(self) -> Batch:
        """What was added since the last batch, maybe nothing; the caller writes it."""
        batch = Batch(f"{self._writer}-{self._count:06d}", self._rows)
        self._rows = defaultdict(list)
        self._bytes, self._since = 0, None
        self._count += 1
        return batch


def _size(row: Row) -> int:
    texts = sum(len(value) for value in row.values() if isinstance(value, str))
    return texts + sum(len(message["content"]) for message in row.get("messages") or ())
