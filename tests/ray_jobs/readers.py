"""How others read the tables of a run, and what they must find whenever they look."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import ray.data

from analysis.schema import schema

Reader = Callable[[Path, Sequence[str]], pa.Table]
"""Reads some columns of the table whose parts lie in a folder."""


def by_dataset(folder: Path, columns: Sequence[str]) -> pa.Table:
    """With Arrow's own datasets."""
    return ds.dataset(folder, format="parquet").to_table(columns=list(columns))


def by_pandas(folder: Path, columns: Sequence[str]) -> pa.Table:
    """With pandas, given the folder."""
    return pa.Table.from_pandas(pd.read_parquet(folder, columns=list(columns)))


def by_duckdb(folder: Path, columns: Sequence[str]) -> pa.Table:
    """With DuckDB, given a pattern."""
    with duckdb.connect() as database:
        names = ", ".join(columns)
        return database.sql(f"SELECT {names} FROM read_parquet('{folder}/*.parquet')").to_arrow_table()


def by_polars(folder: Path, columns: Sequence[str]) -> pa.Table:
    """With Polars, lazily, given the folder, in which it would trip over any other file."""
    return pl.scan_parquet(folder).select(columns).collect().to_arrow()


def by_ray_data(folder: Path, columns: Sequence[str]) -> pa.Table:
    """With Ray Data on the cluster that this process is connected to."""
    return pa.Table.from_pandas(ray.data.read_parquet(str(folder)).select_columns(list(columns)).to_pandas())


HERE: tuple[Reader, ...] = (by_dataset, by_pandas, by_duckdb, by_polars)
"""Those that need no cluster."""


class Watch:
    """One reader of a run that grows: `look`s again and again, and remembers what was there."""

    def __init__(self, reader: Reader, run: Path) -> None:
        self._read, self._tables = reader, run / "tables"
        self._rows: Counter[str] = Counter()
        self.counts: set[int] = set()
        self.debates: set[str] = set()

    def look(self) -> None:
        """Reads `debates` first. What it names is whole, there once, and there for good."""
        if not any((self._tables / "debates").glob("*.parquet")):
            return
        debates = self._read(self._tables / "debates", ["debate_id", "calls"]).to_pydict()
        calls = dict(zip(debates["debate_id"], debates["calls"], strict=True))
        assert len(calls) == len(debates["debate_id"]), "a debate stands there twice"
        assert self.debates <= set(calls), "a debate is gone"
        self.debates = set(calls)
        self.counts.add(len(calls))
        for table in ("replies", "turns"):
            found = Counter(self._read(self._tables / table, ["debate_id"])["debate_id"].to_pylist())
            assert {debate: found[debate] for debate in calls} == calls, f"{table} is not whole"
            assert found.total() >= self._rows[table], f"rows of {table} are gone"
            self._rows[table] = found.total()


def check_schemas(run: Path) -> None:
    """Every part of a table has the table's schema, and all of them the same one to the byte."""
    for folder in (run / "tables").glob("*"):
        parts = [pq.ParquetFile(part) for part in folder.glob("*.parquet")]
        assert all(part.schema_arrow.equals(schema(folder.name)) for part in parts)
        assert len({part.metadata.metadata[b"ARROW:schema"] for part in parts}) <= 1
        for part in parts:
            part.close()
