"""Reading the tables of a run directory: `RUN/tables/<table>/*.parquet`.

Parts appear one by one while the run goes on. A name that starts with a dot is a part still being
written. All rows of a debate stand in one part of each table, and the debate is finished once its id
is in `debates`: rows of any other debate are not read. Should a debate stand in two parts of a table
(its writer died between the parts of two tables, and the debate was written again from the log), the
part whose name sorts last is the one that counts.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import ray.data
from pyarrow import fs

from analysis.listing import RunNotFound, listed, parts
from analysis.part import Part, load
from analysis.schema import schema
from analysis.storage import opened

__all__ = ["RunNotFound", "for_each", "parts", "read", "survey"]

READERS = 8
"""Parts opened at the same time while a run is surveyed; their storage may be far away."""

PARTS_PER_TASK = 8
"""Parts read one after the other by one task; a task costs Ray Data as much time as a small part."""

DEBATES = pa.schema([("debate_id", pa.string()), ("place", pa.int64())])
"""A debate, and the part it stands in, by its place in a list of parts."""


def survey(run: str | Path, *tables: str) -> list[Part]:
    """The parts of `tables`, each with the debates of which its rows do not count.

    Opens every part: its schema is checked, its debate ids are read. Rows of `failures` count for the
    debates that did not finish, rows of every other table for those that did. Raises `RunNotFound`, or
    `PartError` naming the part.
    """
    files, _ = opened(run)
    settled = listed(run, "debates")  # listed first, and once: it is written last
    finished = _debates(files, settled, "debates")
    surveyed = []
    for table in tables:
        there = settled if table == "debates" else listed(run, table)
        found = finished if table == "debates" else _debates(files, there, table)
        ignored = found.filter(pc.invert(_counting(found, finished, table))).to_pylist()
        by_place: dict[int, list[str]] = {}
        for row in ignored:
            by_place.setdefault(row["place"], []).append(row["debate_id"])
        surveyed += [
            Part(table, file.path, tuple(by_place.get(place, ())), file.size)
            for place, file in enumerate(there)
        ]
    return surveyed


def for_each(
    surveyed: Sequence[Part], work: Callable[[Part], pa.Table], result: pa.Schema
) -> ray.data.Dataset:
    """What `work` makes of each part, as a dataset of schema `result`.

    A part is worked on as a whole, so a debate is never seen in halves. Ray Data is kept from writing
    its progress and notices to the terminal; its log file has them.
    """
    if not surveyed:
        return ray.data.from_arrow(result.empty_table())
    for handler in logging.getLogger("ray.data").handlers:
        if handler.get_name() == "console":
            handler.setLevel(logging.ERROR)
    places = ray.data.range(len(surveyed), override_num_blocks=math.ceil(len(surveyed) / PARTS_PER_TASK))
    places.context.enable_progress_bars = False
    places.context.print_on_execution_start = False
    return places.map_batches(partial(_work, surveyed, work), batch_size=None, batch_format="pyarrow")


def read(run: str | Path, table: str, columns: Sequence[str]) -> ray.data.Dataset:
    """The rows of all finished debates (of the failed ones, for `failures`), with `columns` only.

    Raises `RunNotFound`, `PartError`, or `ValueError` for a column that the table does not have.
    """
    for name in columns:
        if name not in schema(table).names:
            raise ValueError(f"{table} has no column {name!r}; it has {', '.join(schema(table).names)}")
    files, _ = opened(run)
    chosen = pa.schema([schema(table).field(name) for name in columns])
    return for_each(survey(run, table), partial(load, files, columns=tuple(columns)), chosen)


def _debates(files: fs.FileSystem, there: Sequence[fs.FileInfo], table: str) -> pa.Table:
    """The distinct debates of each part: columns debate_id and place, that of the part in `there`."""

    def distinct(place: int) -> pa.Table:
        ids = load(files, Part(table, there[place].path), ["debate_id"])["debate_id"].unique()
        return pa.table([ids, pa.repeat(place, len(ids)).cast(pa.int64())], schema=DEBATES)

    with ThreadPoolExecutor(READERS) as pool:
        return pa.concat_tables([DEBATES.empty_table(), *pool.map(distinct, range(len(there)))])


def _counting(found: pa.Table, finished: pa.Table, table: str) -> pa.Array:
    """For each debate found in a part of `table`, whether its rows there count."""
    numbers = found["debate_id"].combine_chunks().dictionary_encode().indices.to_pandas()
    last = pa.array(~numbers.duplicated(keep="last"), pa.bool_())
    settled = pc.is_in(found["debate_id"].combine_chunks(), value_set=finished["debate_id"].combine_chunks())
    return pc.and_(last, pc.invert(settled) if table == "failures" else settled)


def _work(surveyed: Sequence[Part], work: Callable[[Part], pa.Table], places: pa.Table) -> Iterator[pa.Table]:
    for place in places["id"].to_pylist():
        yield work(surveyed[place])
