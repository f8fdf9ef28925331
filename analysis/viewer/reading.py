"""Rows of one debate, read from the parts that hold them.

A run writes all rows of a debate into parts of one name in each table; there they are looked for first.
Tables that were written otherwise are searched from the last part to the first, as the last one counts.
Only the groups of rows that hold the debate are read in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import pyarrow as pa
import pyarrow.compute as pc

from analysis.listing import parts
from analysis.part import Part, PartError, opened_part
from analysis.schema import schema
from analysis.viewer.index import Index, Row


def of_debate(index: Index, table: str, debate: str, stem: str, columns: Sequence[str] = ()) -> list[Row]:
    """The rows of a debate that stands in the part `stem` of `debates`; by default with all columns."""
    wanted = list(columns) or schema(table).names
    paths = parts(index.run, table)
    for path in sorted(paths, key=lambda path: (PurePosixPath(path).stem == stem, path), reverse=True):
        if rows := rows_of(index, table, path, "debate_id", [debate], wanted):
            return rows
    return []


def of_case(index: Index, case: str) -> Row | None:
    """The row of a case; None where the run has no table of cases with it."""
    for path in parts(index.run, "cases"):
        if rows := rows_of(index, "cases", path, "case_id", [case], schema("cases").names):
            return rows[0]
    return None


def rows_of(
    index: Index, table: str, path: str, column: str, values: Sequence[str], columns: Sequence[str]
) -> list[Row]:
    """The rows of a part that have one of the values; none of one that cannot be read, which pages tell."""
    wanted = pa.array(values, pa.string())
    found: list[Row] = []
    try:
        with opened_part(index.files, Part(table, path)) as opened:
            for group in range(opened.num_row_groups):
                there = pc.is_in(opened.read_row_group(group, columns=[column])[column], value_set=wanted)
                if pc.any(there).as_py():
                    rows = opened.read_row_group(group, columns=list(columns))
                    found += rows.filter(there).to_pylist()
    except PartError as error:
        index.problems[path] = str(error)
    return found
