"""The golden arithmetic of shares."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.interval import with_share


@pytest.mark.parametrize(("count", "low", "high"), [(6, 0.28, 1.30), (31, 2.19, 4.37), (412, 38.2, 44.3)])
def test_wilson_intervals_of_a_thousand(count: int, low: float, high: float) -> None:
    [row] = with_share(pd.DataFrame({"count": [count], "n": [1000]}), "count", "n").to_dict("records")
    digits = 1 if low > 10 else 2
    assert (round(100 * row["low"], digits), round(100 * row["high"], digits)) == (low, high)
    assert row["share"] == count / 1000


def test_a_zero_denominator_gives_null_and_leaves_other_rows_alone() -> None:
    found = with_share(pd.DataFrame({"count": [0, 0, 3], "n": [0, 3, 3]}), "count", "n")
    assert found[["share", "low", "high"]].isna().all(axis=1).tolist() == [True, False, False]
    assert (found["low"][1], found["high"][2]) == (0, 1), "bounds reach the end exactly"
