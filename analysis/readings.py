"""How turns could be read, by model.

Each turn counts once, in the debate in which it was said, and not again in those that go on from it. That of
a confederate with a text was read from nobody, and does not count.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from analysis.estimates import Terms, estimated
from analysis.statuses import READABLE, STATUSES
from analysis.tally import DESIGN, groups, pick, tally

__all__ = ["READABLE", "STATUSES", "count", "estimate"]


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies the turns said in each debate by status and model."""
    own = turns[~(turns["opening"] | scripted(turns))]
    return tally("readings", own[[*DESIGN, "model", "status"]].rename(columns={"status": "item"}))


def scripted(turns: pd.DataFrame) -> NDArray[np.bool_]:
    """Which turns are of seats whose verdict is planted with a text: the plan has both."""
    said = np.zeros(len(turns), bool)
    for variant in turns["variant"].dropna().unique():
        planted = json.loads(variant).get("planted", {})
        if "text" in planted:
            seats = [f"seat{number}" for number in planted["seats"]]
            said |= ((turns["variant"] == variant) & turns["seat"].isin(seats)).to_numpy()
    return said


def estimate(tallies: pa.Table, by: Sequence[str] = ()) -> pd.DataFrame:
    """Shares of turns by status, for each model (in each group of `by`).

    Keys: those of `by`; model; status. Each of `STATUSES` has its row, also with numerator 0. Sorted by
    `by`, model and the order of `STATUSES`.
    """
    rows = pick(tallies, "readings").rename(columns={"item": "status"})
    keys = [*by, "model"]
    grid = groups(keys, rows).sort_values(keys).merge(pd.DataFrame({"status": STATUSES}), how="cross")
    return estimated(grid, Terms(rows, [*keys, "status"]), Terms(rows, keys))
