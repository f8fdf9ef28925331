"""The columns of the tables: named once, of known types, each explained."""

from __future__ import annotations

import pytest

from protocols.columns import DESIGN, TABLES

TYPES = {"string", "int", "float", "bool", "time", "strings", "messages"}


@pytest.mark.parametrize("table", TABLES)
def test_columns_are_distinct_typed_and_explained(table: str) -> None:
    names = [name for name, _, _ in (*DESIGN, *TABLES[table])]
    assert len(set(names)) == len(names)
    assert {kind for _, kind, _ in TABLES[table]} <= TYPES
    assert all(meaning for _, _, meaning in TABLES[table])
