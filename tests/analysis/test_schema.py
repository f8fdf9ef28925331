"""The Arrow schemas are the columns of the protocols, and nothing else."""

from __future__ import annotations

import pickle

import pyarrow as pa
import pytest

from analysis.schema import schema
from protocols.columns import DESIGN, SCHEMA_VERSION, TABLES


@pytest.mark.parametrize("table", TABLES)
def test_design_columns_first_then_the_tables_own(table: str) -> None:
    assert schema(table).names == [name for name, _, _ in (*DESIGN, *TABLES[table])]
    assert all(field.nullable for field in schema(table))
    assert schema(table).metadata == {b"schema_version": str(SCHEMA_VERSION).encode()}
    assert pickle.loads(pickle.dumps(schema(table))).equals(schema(table), check_metadata=True)


def test_types() -> None:
    replies = schema("replies")
    assert replies.field("time").type == pa.timestamp("us", "UTC")
    assert replies.field("messages").type == pa.list_(
        pa.struct({"role": pa.string(), "content": pa.string()})
    )
    assert schema("cases").field("options").type == pa.list_(pa.string())
    assert schema("turns").field("opening").type == pa.bool_()


def test_an_unknown_table_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"no table is called 'turn'.*turns"):
        schema("turn")
