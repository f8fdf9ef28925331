"""The Arrow schema of every table, made from the columns that `protocols.columns` lists."""

from __future__ import annotations

from functools import cache

import pyarrow as pa

from protocols.columns import DESIGN, SCHEMA_VERSION, TABLES

VERSION_KEY = b"schema_version"
"""The key of the schema's metadata under which a part says what wrote it."""

TYPES: dict[str, pa.DataType] = {
    "string": pa.string(),
    "int": pa.int64(),
    "float": pa.float64(),
    "bool": pa.bool_(),
    "time": pa.timestamp("us", "UTC"),
    "strings": pa.list_(pa.string()),
    "messages": pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
}


@cache
def schema(table: str) -> pa.Schema:
    """The schema of `table`: the design columns, then its own, every one nullable.

    Its metadata holds the schema version. Raises `ValueError` for a table that no run has.
    """
    if table not in TABLES:
        raise ValueError(f"no table is called {table!r}; a run has {', '.join(TABLES)}")
    fields = [pa.field(name, TYPES[kind]) for name, kind, _ in (*DESIGN, *TABLES[table])]
    return pa.schema(fields, metadata={VERSION_KEY: str(SCHEMA_VERSION).encode()})
