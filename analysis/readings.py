"""How turns could be read, by model.

Each turn counts once, in the debate in which it was said, and not again in those that go on from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.estimates import Terms, estimated
from analysis.statuses import READABLE, STATUSES
from analysis.tally import DESIGN, groups, pick, tally

__all__ = ["READABLE", "STATUSES", "count", "estimate"]


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies the turns said in each debate by status and model."""
    own = turns[~turns["opening"]]
    return tally("readings", own[[*DESIGN, "model", "status"]].rename(columns={"status": "item"}))


def estimate(tallies: pa.Table, by: Sequence[str] = ()) -> pd.DataFrame:
    """Shares of turns by status, for each model (in each group of `by`).

    Keys: those of `by`; model; status. Each of `STATUSES` has its row, also with numerator 0. Sorted by
    `by`, model and the order of `STATUSES`.
    """
    rows = pick(tallies, "readings").rename(columns={"item": "status"})
    keys = [*by, "model"]
    grid = groups(keys, rows).sort_values(keys).merge(pd.DataFrame({"status": STATUSES}), how="cross")
    return estimated(grid, Terms(rows, [*keys, "status"]), Terms(rows, keys))
