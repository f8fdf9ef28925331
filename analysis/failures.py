"""Debates that failed: given up and not finished by a later try. They are in no other figure."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.tally import DESIGN, pick, tally

COLUMNS = ("debate_id", *DESIGN, "error_class", "time")
"""What is read of `failures`."""


def count(rows: pa.Table) -> pa.Table:
    """Tallies failed debates by the error class of their last failure."""
    frame: pd.DataFrame = rows.to_pandas().sort_values(["time", "error_class"], na_position="first")
    last = frame.drop_duplicates("debate_id", keep="last")
    return tally("failed", last[[*DESIGN, "error_class"]].rename(columns={"error_class": "item"}))


def failed(tallies: pa.Table, seats: int = 0) -> pd.DataFrame:
    """The tally of failed debates on panels of at least so many seats: as `tally.pick` gives it."""
    return pick(tallies, "failed", seats)


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """Failed debates by error class. Columns: error_class, debates. Most frequent first."""
    by_class = failed(tallies).groupby("item")["count"].sum().rename_axis("error_class")
    return by_class.reset_index(name="debates").sort_values(
        ["debates", "error_class"], ascending=[False, True], ignore_index=True
    )
