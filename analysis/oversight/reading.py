"""What the measures of oversight read of a run: some columns of five tables, whatever parts they lie in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import fs

from analysis.counting import COUNTED_HERE, Connect
from analysis.part import Part, load
from analysis.schema import schema
from analysis.storage import opened
from analysis.tables import for_each, parts, survey
from analysis.tally import DESIGN

PLAYED = ("debate_id", *DESIGN, "labels", "stance_swap", "listing", "repetition")
"""The columns of the design that debates and judgments are told by."""

COLUMNS: dict[str, tuple[str, ...]] = {
    "cases": ("case_id", "options", "truth", "source"),
    "debates": (*PLAYED, "source_debate", "outcome", "final_labels", "exit_mode"),
    "turns": (
        *("debate_id", "round", "seat", "model", "label", "status"),
        *("confidence", "violation", "opening"),
    ),
    "judgments": (*PLAYED, "kind", "judge", "pass", "source_debate", "sees", "answers", "decision", "status"),
    "failures": (*PLAYED, "seat", "message", "time"),
}
"""What is read of each table."""

KEYS: dict[str, tuple[str, ...]] = {
    "cases": ("case_id",),
    "debates": ("debate_id",),
    "turns": ("debate_id", "round", "seat"),
    "judgments": ("debate_id",),
    "failures": ("debate_id", "time"),
}
"""By what the rows of each table are sorted, so that parts may come in any order."""


@dataclass(frozen=True)
class Tables:
    """The rows of finished debates and judgments, and of what failed: frames with `COLUMNS`.

    Texts that are null are "", so that they group like a value.
    """

    cases: pd.DataFrame
    debates: pd.DataFrame
    turns: pd.DataFrame
    judgments: pd.DataFrame
    failures: pd.DataFrame


def read(run: str | Path, connect: Connect = nullcontext) -> Tables:
    """The tables of a run, finished or still going on.

    Parts that are together larger than `counting.COUNTED_HERE` are read by Ray Data inside `connect()`.
    Raises `tables.RunNotFound`, or `part.PartError` for a part that is torn or foreign.
    """
    files, _ = opened(run)
    surveyed = survey(run, *(name for name in COLUMNS if name != "cases"))
    surveyed += [Part("cases", path) for path in parts(run, "cases")]
    if sum(part.size for part in surveyed) < COUNTED_HERE:
        return tables({name: list(_here(files, _of(surveyed, name))) for name in COLUMNS})
    with connect():
        return tables({name: list(_far(files, name, _of(surveyed, name))) for name in COLUMNS})


def tables(found: dict[str, Sequence[pa.Table]]) -> Tables:
    """The rows of some parts of each table, put together; the order of parts and of rows does not matter."""
    return Tables(**{name: _frame(name, found.get(name, ())) for name in COLUMNS})


def _of(surveyed: Sequence[Part], table: str) -> list[Part]:
    return [part for part in surveyed if part.table == table]


def _here(files: fs.FileSystem, surveyed: Sequence[Part]) -> Iterator[pa.Table]:
    return (load(files, part, COLUMNS[part.table]) for part in surveyed)


def _far(files: fs.FileSystem, table: str, surveyed: Sequence[Part]) -> Iterator[pa.Table]:
    """The rows of the parts, read by Ray Data."""
    work = partial(load, files, columns=COLUMNS[table])
    yield from for_each(surveyed, work, _schema(table)).iter_batches(batch_size=None, batch_format="pyarrow")


def _schema(table: str) -> pa.Schema:
    return pa.schema([schema(table).field(name) for name in COLUMNS[table]])


def _frame(table: str, found: Sequence[pa.Table]) -> pd.DataFrame:
    rows = pa.concat_tables([_schema(table).empty_table(), *found])
    texts = {field.name: rows[field.name].fill_null("") for field in rows.schema if field.type == pa.string()}
    for name, column in texts.items():
        rows = rows.set_column(rows.schema.get_field_index(name), name, column)
    frame: pd.DataFrame = rows.to_pandas()
    return frame.sort_values(list(KEYS[table]), kind="stable", ignore_index=True)
