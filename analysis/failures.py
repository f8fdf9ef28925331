"""Debates and judgments that failed: given up, not finished by a later try. They are in no other figure."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa

from analysis.tally import DESIGN, attach, pick, tally
from protocols.judge import JUDGE

COLUMNS = ("debate_id", *DESIGN, "error_class", "seat", "time")
"""What is read of `failures`."""

DEBATES, JUDGMENTS = "failed", "failed judgments"


def count(rows: pa.Table) -> pa.Table:
    """Tallies failed debates, and failed judgments, by the error class of their last failure.

    A judgment is what failed in the seat of a judge.
    """
    frame: pd.DataFrame = rows.to_pandas().sort_values(["time", "error_class"], na_position="first")
    last = frame.drop_duplicates("debate_id", keep="last").rename(columns={"error_class": "item"})
    judged = last["seat"] == JUDGE
    parted = ((DEBATES, last[~judged]), (JUDGMENTS, last[judged]))
    return pa.concat_tables(tally(measure, own[[*DESIGN, "item"]]) for measure, own in parted)


def failed(tallies: pa.Table, seats: int = 0) -> pd.DataFrame:
    """The tally of failed debates on panels of at least so many seats: as `tally.pick` gives it."""
    return pick(tallies, DEBATES, seats)


def failed_judgments(tallies: pa.Table) -> pd.DataFrame:
    """The tally of failed judgments: as `tally.pick` gives it."""
    return pick(tallies, JUDGMENTS)


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """What failed by error class. Columns: error_class, debates, judgments. Most frequent first."""
    debates, judgments = failed(tallies), failed_judgments(tallies)
    grid = pd.DataFrame({"item": pd.concat([debates["item"], judgments["item"]]).unique()})
    grid = attach(attach(grid, "debates", debates, ["item"]), "judgments", judgments, ["item"])
    return grid.rename(columns={"item": "error_class"}).sort_values(
        ["debates", "judgments", "error_class"], ascending=[False, False, True], ignore_index=True
    )
