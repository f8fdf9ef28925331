"""The tables of a run as Parquet files of a data set, and as CSV files."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from analysis.schema import schema
from protocols.columns import TABLES
from ray_jobs.export.card import Seen
from ray_jobs.export.snapshot import Snapshot

DATA = "data"


def write_parquet(snapshot: Snapshot, folder: Path) -> Seen:
    """Writes each table that has any rows as data/TABLE/NUMBER.parquet."""
    seen = Seen()
    for table in TABLES:
        for number, rows in enumerate(snapshot.rows(table)):
            file = folder / DATA / table / f"{number:05}.parquet"
            file.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(rows, file, compression="zstd")
            seen.look(table, rows)
    return seen


def write_csv(snapshot: Snapshot, folder: Path) -> dict[str, int]:
    """Writes each table as TABLE.csv, lists in it as JSON; returns the rows of those that have any.

    Nothing stands for null, "" for an empty text. Texts are not guarded against spreadsheets.
    """
    counts: dict[str, int] = {}
    for table in TABLES:
        form = pa.schema([(field.name, _flat(field.type)) for field in schema(table)])
        writer: csv.CSVWriter | None = None
        for rows in snapshot.rows(table):
            if writer is None:
                writer = csv.CSVWriter(folder / f"{table}.csv", form)
            writer.write_table(pa.table([_written(column) for column in rows.columns], schema=form))
            counts[table] = counts.get(table, 0) + len(rows)
        if writer is not None:
            writer.close()
    return counts


def _flat(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_list(kind) else kind


def _written(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_list(column.type):
        return column
    cells = column.to_pylist()
    texts = [None if cell is None else json.dumps(cell, ensure_ascii=False) for cell in cells]
    return pa.chunked_array([texts], pa.string())
