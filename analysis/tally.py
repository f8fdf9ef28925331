"""Tallies: the one additive form in which every measure counts.

A tally says how often something occurred, by the columns of `KEYS`; those that a measure has no use
for are null. Tallies of two parts are put together by adding, so a result depends neither on how
debates were spread over parts nor on the order of rows. Every count is an integer: sums are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
        found = f"no column {strange[0]!r}" if strange else "to be told by at least one column"
        raise UnknownColumn(f"a condition has {found}; name some of {', '.join(CONDITION)}")
    return tuple(dict.fromkeys(("stage", *by)))


def tally(measure: str, rows: pd.DataFrame) -> pa.Table:
    """Counts the rows that are alike in the columns of `KEYS` they have.

    Where the rows have a column `count`, that is added up instead.
    """
    keys = [name for name in KEYS if name in rows.columns]
    rows = rows if "count" in rows.columns else rows.assign(count=1)
    counted = rows.groupby(keys, observed=True, dropna=False, sort=False)["count"].sum().reset_index()
    columns = counted.assign(measure=measure).reindex(columns=TALLY.names)
    return pa.Table.from_pandas(columns, TALLY, preserve_index=False).replace_schema_metadata()


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
    rows: pd.DataFrame = tallies.filter(pc.equal(tallies["measure"], measure)).to_pandas()
    rows = rows.fillna({field.name: "" if field.type == pa.string() else 0 for field in TALLY})
    whole = rows.astype({"n_seats": "int64", "round": "int64"})
    return whole[whole["n_seats"] >= seats]


def attach(grid: pd.DataFrame, name: str, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """`grid` with a further column: the counts of `rows` added up by the columns `by`, 0 where none."""
    added = rows.groupby(list(by))["count"].sum().reset_index(name=name)
    return grid.merge(added, on=list(by), how="left").fillna({name: 0}).astype({name: "int64"})


def groups(by: Sequence[str], *frames: pd.DataFrame) -> pd.DataFrame:
    """The distinct values of the columns `by` in all the frames."""
    return pd.concat([frame[list(by)] for frame in frames]).drop_duplicates(ignore_index=True)
