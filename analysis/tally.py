"""Tallies: the one additive form in which every measure counts.

A tally says how often something occurred, by the columns of `KEYS`; those that a measure has no use
for are null. Tallies of two parts are put together by adding, so a result depends neither on how
debates were spread over parts nor on the order of rows. Every count is an integer: sums are exact.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

CONDITION = ("stage", "protocol", "variant", "panel", "order", "steering", "answer_format")
"""The columns of the design that make a condition: what a study compares."""

DESIGN = (*CONDITION, "n_seats", "case_id")
"""What every tally keeps of a debate's design, with its case: intervals are had by drawing cases."""

KEYS = ("measure", *DESIGN, "seat", "model", "item", "round")

TALLY = pa.schema(
    [(name, pa.int64() if name in ("n_seats", "round") else pa.string()) for name in KEYS]
    + [("count", pa.int64())]
)


class UnknownColumn(ValueError):
    """What estimates are asked for by is no column of the condition."""


def chosen(by: Sequence[str]) -> tuple[str, ...]:
    """The distinct columns of `by`, before them the stage.

    The stage is always among them: a debate and the one that goes on from it are of one case and share
    their first rounds, so pooled over stages they would count twice. Raises `UnknownColumn` for no
    column, or for one not in `CONDITION`.
    """
    strange = [name for name in by if name not in CONDITION]
    if strange or not by:
        found = f"no column {_meant(strange[0])}" if strange else "to be told by at least one column"
        raise UnknownColumn(f"a condition has {found}; name some of {', '.join(CONDITION)}")
    return tuple(dict.fromkeys(("stage", *by)))


def _meant(name: str) -> str:
    """The name, and the column that it may have been meant to be."""
    near = difflib.get_close_matches(name, CONDITION, n=1)
    return f"{name!r} (did you mean {near[0]!r}?)" if near else repr(name)


def tally(measure: str, rows: pd.DataFrame) -> pa.Table:
    """Counts the rows that are alike in the columns of `KEYS` they have.

    Where the rows have a column `count`, that is added up instead.
    """
    keys = [name for name in KEYS if name in rows.columns]
    rows = rows if "count" in rows.columns else rows.assign(count=1)
    table = pa.Table.from_pandas(rows[[*keys, "count"]], preserve_index=False)
    *columns, count = table.group_by(keys).aggregate([("count", "sum")]).itercolumns()
    counted = dict(zip(keys, columns, strict=True)) | {"count": count}
    counted["measure"], nothing = pa.repeat(measure, len(count)), pa.nulls(len(count))
    return pa.table([counted.get(field.name, nothing).cast(field.type) for field in TALLY], TALLY)


def merge(tallies: Iterable[pa.Table]) -> pa.Table:
    """One tally of many, sorted by its keys."""
    together = pa.concat_tables([TALLY.empty_table(), *tallies])
    added = together.group_by(list(KEYS)).aggregate([("count", "sum")])
    merged = added.rename_columns({"count_sum": "count"}).select(TALLY.names).cast(TALLY)
    return merged.sort_by([(name, "ascending") for name in KEYS])


def pick(tallies: pa.Table, measure: str, seats: int = 0) -> pd.DataFrame:
    """What tallies hold of one measure for panels of at least so many seats.

    Has the columns `KEYS` and `count`; what is null comes as "" or 0, so that it groups like a value.
    """
    rows = tallies.filter(pc.equal(tallies["measure"], measure))
    filled = [rows[field.name].fill_null("" if field.type == pa.string() else 0) for field in TALLY]
    whole: pd.DataFrame = pa.table(filled, schema=TALLY).to_pandas()
    return whole[whole["n_seats"] >= seats]


def attach(grid: pd.DataFrame, name: str, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """`grid` with a further column: the counts of `rows` added up by the columns `by`, 0 where none."""
    added: Counter[tuple[object, ...]] = Counter()
    for key, count in zip(_keys(rows, by), rows["count"].tolist(), strict=True):
        added[key] += count
    return grid.assign(**{name: pd.Series([added[key] for key in _keys(grid, by)], grid.index, "int64")})


def groups(by: Sequence[str], *frames: pd.DataFrame) -> pd.DataFrame:
    """The distinct values of the columns `by` in all the frames."""
    return pd.concat([frame[list(by)] for frame in frames]).drop_duplicates(ignore_index=True)


def _keys(frame: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[object, ...]]:
    return zip(*(frame[name].tolist() for name in by), strict=True)
