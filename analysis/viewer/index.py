"""The index of a run: one row for each debate, in memory, and the parts of the tables that hold the rest.

Parts are read the one way in which moot reads them (`analysis.part`): from folders and object stores,
their schema checked. The index has no texts; those are read from the parts when a page shows them. Parts
are never replaced, so a run that goes on is followed by reading what is new. As everywhere, `debates` is
listed first: what it names has all its rows in the parts of other tables that are there then.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import PurePosixPath
from threading import RLock
from typing import Any, TypeVar

import duckdb
import numpy as np
import pyarrow as pa

from analysis.listing import parts
from analysis.part import Part, PartError, load
from analysis.schema import schema
from analysis.storage import Unreachable, opened
from analysis.viewer.schema import COURSES, DEBATE_COLUMNS, SAID, TABLES, TURN_COLUMNS

FRESH = 1.0
"""Seconds for which a listing of the parts holds."""

READERS = 4
"""Parts read at the same time; their storage may be far away."""

Row = dict[str, Any]
Kept = TypeVar("Kept")


class Index:
    """The debates of one run. Safe to be asked from several threads."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.files, self.root = opened(run)
        self.problems: dict[str, str] = {}
        self._read: dict[str, list[str]] = {"cases": [], "debates": [], "turns": [], "failures": []}
        self._looked = -FRESH
        self._kept: dict[str, tuple[object, Any]] = {}
        self._lock, self._writing = RLock(), RLock()
        self._database = duckdb.connect(":memory:")
        self._database.execute("set preserve_insertion_order = false")
        for statement in TABLES:
            self._database.execute(statement)
        self._behind = ThreadPoolExecutor(1, thread_name_prefix="verdicts")
        self._heard: Future[None] | None = None

    def refresh(self) -> None:
        """Takes in what has been written since; verdicts of turns follow in a thread of their own."""
        with self._lock:
            if time.monotonic() - self._looked < FRESH:
                return
            grown = False
            for table in DEBATE_COLUMNS:
                if paths := self._new(table):
                    self._take(table, paths)
                    grown = True
            turns = self._new("turns")  # after `debates`: whatever that names is in them
            if grown or turns:
                self._heard = self._behind.submit(self._hear, turns)
            self._looked = time.monotonic()

    def hear(self) -> None:
        """Waits until the verdicts of all turns are in the index."""
        if self._heard is not None:
            self._heard.result()

    @property
    def hearing(self) -> bool:
        """Whether verdicts of turns are still being read."""
        return self._heard is not None and not self._heard.done()

    @property
    def extent(self) -> int:
        """How many parts have been read."""
        return sum(map(len, self._read.values()))

    def kept(self, name: str, find: Callable[[], Kept]) -> Kept:
        """What was found under a name, found anew once the run has grown."""
        state = self.extent, self.hearing
        known = self._kept.get(name)
        if known is None or known[0] != state:
            known = self._kept[name] = state, find()
        found: Kept = known[1]
        return found

    def rows(self, query: str, given: Sequence[object] = (), **tables: pa.Table) -> list[Row]:
        """The rows of a query of the index; `tables` are at hand in it under their names."""
        with self._cursor() as cursor:
            for name, table in tables.items():
                cursor.register(name, table)
            cursor.execute(query, list(given))
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def one(self, query: str, given: Sequence[object] = (), **tables: pa.Table) -> Row | None:
        """The first row of a query; None where there is none."""
        return next(iter(self.rows(query, given, **tables)), None)

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        cursor = self._database.cursor()
        try:
            yield cursor
        finally:
            cursor.close()

    def _new(self, table: str) -> list[str]:
        """The parts that nobody has read, which whoever asks is to read now."""
        known = set(self._read[table])
        new = [path for path in parts(self.run, table) if path not in known]
        self._read[table] += new
        return new

    def _load(self, table: str, paths: Sequence[str], columns: Sequence[str]) -> pa.Table:
        """The columns of some parts, and `part`, the stem of each.

        Of one that cannot be read there are no rows, and every page says so.
        """
        try:
            with ThreadPoolExecutor(READERS) as pool:
                tables = list(pool.map(partial(self._part, table, columns), paths))
        except Unreachable:  # they are to be read again
            self._read[table] = [path for path in self._read[table] if path not in paths]
            raise
        return pa.concat_tables(tables)

    def _part(self, table: str, columns: Sequence[str], path: str) -> pa.Table:
        try:
            rows = load(self.files, Part(table, path), columns, encoded=True)
        except PartError as error:
            self.problems[path] = str(error)
            rows = load_nothing(table, columns)
        stem = pa.array([PurePosixPath(path).stem])
        return rows.append_column("part", pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), stem))

    def _take(self, table: str, paths: Sequence[str]) -> None:
        rows = self._load(table, paths, DEBATE_COLUMNS[table])
        named = ", ".join(f'"{name}"' for name in rows.column_names)
        with self._writing, self._cursor() as cursor:
            cursor.register("new", rows)
            cursor.execute(f"insert into {table} ({named}) select {named} from new")

    def _hear(self, turns: Sequence[str]) -> None:
        """Puts what was said into the rows of the debates; of two parts with one debate the last counts."""
        with self._writing, self._cursor() as cursor:
            if turns:
                cursor.register("new", self._load("turns", turns, TURN_COLUMNS))
                cursor.execute(f"insert into said {SAID}")
            cursor.execute(COURSES)


def load_nothing(table: str, columns: Sequence[str]) -> pa.Table:
    """No rows of a table, as `load` would give them."""
    strings = pa.dictionary(pa.int32(), pa.string())
    fields = [schema(table).field(name) for name in columns]
    told = [field.with_type(strings) if field.type == pa.string() else field for field in fields]
    return pa.schema(told).empty_table()
