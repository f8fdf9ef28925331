"""The rows of a run at one moment, part by part: those of the debates and judgments that have ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath

import pyarrow as pa

from analysis.part import Part, load
from analysis.schema import schema
from analysis.tables import survey
from protocols.columns import TABLES
from ray_jobs.label_folder import label_names, label_store
from ray_jobs.parts import read_parts
from ray_jobs.store import Store

OF_DEBATES = tuple(table for table in TABLES if table != "cases")


@dataclass(frozen=True, slots=True)
class Place:
    """The run itself or labels of it, and the parts that lie there."""

    store: Store
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, store: Store) -> Place:
        """As it is now. Raises `RunNotFound`, or `PartError` for a part that is torn or foreign."""
        return cls(store, tuple(survey(store.uri, *OF_DEBATES)))

    def rows(self, part: Part) -> pa.Table:
        """The rows of a part that count, with every column of its table."""
        columns = schema(part.table).names
        rows = self.store.ask(part.path, partial(load, self.store.fs, part, columns))
        return rows.cast(schema(part.table))

    def beside(self, part: Part, table: str) -> Part | None:
        """The part of another table that was written together with this one."""
        stem = PurePosixPath(part.path).name
        found = (each for each in self.parts if each.table == table)
        return next((each for each in found if PurePosixPath(each.path).name == stem), None)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The run, and the labels that lie in it, by name."""

    run: Place
    labels: dict[str, Place]

    @classmethod
    def of(cls, store: Store) -> Snapshot:
        """As it is now; what ends later is not in it. Raises as `Place.of` does."""
        names = [name for name in label_names(store) if label_store(store, name).names("tables")]
        return cls(Place.of(store), {name: Place.of(label_store(store, name)) for name in names})

    @property
    def places(self) -> list[Place]:
        """The run, then its labels."""
        return [self.run, *self.labels.values()]

    def rows(self, table: str) -> Iterator[pa.Table]:
        """The rows of a table, a part at a time; none that has no rows."""
        if table == "cases":
            for cases in read_parts(self.run.store, table, schema(table).names):
                yield cases.cast(schema(table))
            return
        for place in self.places:
            for part in place.parts:
                if part.table == table and len(rows := place.rows(part)):
                    yield rows
