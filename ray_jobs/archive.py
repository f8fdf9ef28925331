"""The archive: replies or turns of finished debates, read back from a run's tables one debate at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analysis.part import Part, PartError, check
from ray_jobs.ids import Numbers, id_numbers
from ray_jobs.log import Row
from ray_jobs.store import Store

Found = TypeVar("Found")

GROUPS = 16  # row groups kept at hand, of about 4 MB; debates of one time lie close together


PLACE = {"replies": ("step", "slot"), "turns": ("round", "position")}
"""The columns by which the rows of a debate are in order."""


class Archive:
    """Rows of `replies`, or of `turns`, by debate, as the tables hold them when it is first asked.

    Of a run that `grows` they are looked at again when a debate is asked for that was not there. Knows of
    each debate in which row groups it stands, 12 bytes each; it may be asked from any thread.
    """

    def __init__(self, store: Store, grows: bool = False, table: str = "replies") -> None:
        self._store, self._grows, self._table = store, grows, table
        self._index: tuple[Numbers, npt.NDArray[np.int32]] | None = None
        self._places: list[tuple[str, int]] = []
        self._surveyed: set[str] = set()
        self._group = lru_cache(GROUPS)(self._read)
        self._one_at_a_time = threading.Lock()

    def rows(self, debate_id: str) -> list[Row]:
        """The rows of a debate in their order; none when it is not finished."""
        with self._one_at_a_time:
            numbers, places = self._index or self._survey()
            number = id_numbers([debate_id])[0]
            if self._grows and number not in numbers:
                numbers, places = self._survey()
            first, last = np.searchsorted(numbers, number, "left"), np.searchsorted(numbers, number, "right")
            groups = [self._group(*self._places[place]) for place in places[first:last]]
            rows = [
                row
                for group in groups
                for row in group.filter(pc.equal(group["debate_id"], debate_id)).to_pylist()
            ]
        first_by, then_by = PLACE[self._table]
        return sorted(rows, key=lambda row: (row[first_by], row[then_by]))

    def _survey(self) -> tuple[Numbers, npt.NDArray[np.int32]]:
        """Finds out where every debate stands, in parts that were not there before."""
        known = self._index or (np.empty(0, np.uint64), np.empty(0, np.int32))
        numbers, places = [known[0]], [known[1]]
        for name in self._store.names(f"tables/{self._table}"):
            if name in self._surveyed:
                continue
            self._surveyed.add(name)
            for group, ids in enumerate(self._ask(name, self._ids)):
                numbers.append(id_numbers(ids))
                places.append(np.full(len(ids), len(self._places), np.int32))
                self._places.append((name, group))
        every = np.concatenate(numbers)
        order = np.argsort(every, kind="stable")
        self._index = every[order], np.concatenate(places)[order]
        return self._index

    def _ids(self, part: pq.ParquetFile) -> list[list[str]]:
        """The debates of each row group of a part."""
        check(Part(self._table, self._table), part.schema_arrow)
        groups = range(part.num_row_groups)
        return [part.read_row_group(group, ["debate_id"])[0].unique().to_pylist() for group in groups]

    def _read(self, name: str, group: int) -> pa.Table:
        return self._ask(name, lambda part: part.read_row_group(group))

    def _ask(self, name: str, find: Callable[[pq.ParquetFile], Found]) -> Found:
        """What `find` finds in a part. Raises `PartError` for one that is damaged."""
        path = self._store.path(name)

        def look() -> Found:
            with pq.ParquetFile(path, filesystem=self._store.fs) as part:
                return find(part)

        try:
            return self._store.ask(name, look)
        except pa.ArrowException as error:
            raise PartError(f"{path} was damaged after it was written ({error}); restore it") from None
