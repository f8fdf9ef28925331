"""Counting in the parts of a run's tables: in this process while they are small, else by Ray Data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from analysis.part import Part, load
from analysis.storage import opened
from analysis.tables import for_each, survey
from analysis.tally import TALLY, merge

COUNTED_HERE = 64 * 2**20
"""Bytes of parts that are counted in less time than Ray takes to start."""

Counted = tuple[tuple[str, ...], Callable[[pa.Table], pa.Table]]
"""Which columns of a table are read, and what makes tallies of their rows."""

Connect = Callable[[], AbstractContextManager[object]]


def tallied(run: str | Path, tables: Mapping[str, Counted], connect: Connect = nullcontext) -> pa.Table:
    """The merged tallies of some tables of a run, finished or still going on.

    Where all parts that it reads are together smaller than `COUNTED_HERE`, they are counted in this
    process, which spares the start of Ray. Otherwise Ray Data counts them inside `connect()`: on the
    cluster that this connects to, else on the one that this process is connected to, or that Ray Data
    then starts here. Raises `tables.RunNotFound`, or `part.PartError` for a part that is torn or foreign.
    """
    files, _ = opened(run)
    surveyed, work = survey(run, *tables), partial(count, files, tables)
    if sum(part.size for part in surveyed) < COUNTED_HERE:
        return merge(map(work, surveyed))
    with connect():
        return merge(for_each(surveyed, work, TALLY).iter_batches(batch_size=None, batch_format="pyarrow"))


def count(files: fs.FileSystem, tables: Mapping[str, Counted], part: Part) -> pa.Table:
    """The tallies of one part of any of the tables."""
    columns, counted = tables[part.table]
    return merge([counted(load(files, part, columns, encoded=True))])
