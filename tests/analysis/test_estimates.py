"""The columns in which every estimate is told, against figures by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.estimates import COLUMNS, ONE_CASE, Terms, estimated

KEYS = ["protocol", "event"]


def counts(*rows: tuple[str, str, str, int]) -> pd.DataFrame:
    """Rows of (protocol, event, case, count)."""
    return pd.DataFrame(rows, columns=[*KEYS, "case_id", "count"])


def test_sums_by_keys_with_what_left_the_denominator() -> None:
    grid = pd.DataFrame([("p", "yes"), ("p", "no"), ("q", "yes")], columns=KEYS)
    above = counts(("p", "yes", "a", 1), ("p", "yes", "b", 1), ("p", "yes", "b", 1), ("p", "no", "c", 2))
    below = above.assign(event="")
    lost = counts(("q", "", "a", 3), ("p", "", "d", 1))
    found = estimated(
        grid, Terms(above, KEYS), Terms(below, KEYS[:1]), Terms(lost, KEYS[:1]), empty="no debate"
    )
    assert list(found.columns) == [*KEYS, *COLUMNS]
    assert found["numerator"].tolist() == [3, 2, 0]
    assert found["denominator"].tolist() == [5, 5, 0]
    assert found["estimate"].tolist()[:2] == [0.6, 0.4]
    assert found["cases"].tolist() == [3, 3, 0]
    assert found["unreadable"].tolist() == [1, 1, 3]
    assert found["failed"].tolist() == [0, 0, 0]
    assert found["reason"].tolist() == ["", "", "no debate"]
    assert found[["estimate", "low", "high", "wilson_low", "wilson_high"]].iloc[2].isna().all()


def test_of_one_case_there_is_an_estimate_without_interval() -> None:
    rows = counts(("p", "yes", "a", 4))
    [row] = estimated(pd.DataFrame({"protocol": ["p"]}), *2 * [Terms(rows, ["protocol"])]).to_dict("records")
    assert (row["estimate"], row["cases"], row["reason"]) == (1, 1, ONE_CASE)
    assert pd.isna(row["low"])
    assert row["wilson_low"] == pytest.approx(0.5101, abs=1e-4)


@pytest.mark.parametrize(
    ("successes", "low", "high"), [(6, 0.28, 1.30), (31, 2.19, 4.37), (412, 38.2, 44.3), (0, 0, 0.38)]
)
def test_wilson_intervals_of_the_papers_denominator(successes: int, low: float, high: float) -> None:
    below = counts(*(("p", "", f"case {i}", 1) for i in range(1000)))
    found = estimated(
        pd.DataFrame({"protocol": ["p"]}), Terms(below[:successes], KEYS[:1]), Terms(below, KEYS[:1])
    )
    row = found.iloc[0]
    digits = 1 if successes == 412 else 2
    assert (round(100 * row["wilson_low"], digits), round(100 * row["wilson_high"], digits)) == (low, high)
    assert row["low"] <= row["estimate"] <= row["high"]


def test_means_of_a_grain_have_no_wilson_interval() -> None:
    above = counts(("p", "", "a", 2520), ("p", "", "b", 5040))
    below = counts(("p", "", "a", 1), ("p", "", "b", 1))
    grid = pd.DataFrame({"protocol": ["p"]})
    [row] = estimated(grid, Terms(above, KEYS[:1]), Terms(below, KEYS[:1]), grain=5040).to_dict("records")
    assert (row["numerator"], row["estimate"], row["low"], row["high"]) == (1.5, 0.75, 0.5, 1)
    assert pd.isna(row["wilson_low"])


def test_without_rows_the_columns_are_there() -> None:
    nothing = counts()
    found = estimated(pd.DataFrame(columns=KEYS, dtype="str"), *2 * [Terms(nothing, KEYS)])
    assert found.empty
    assert list(found.columns) == [*KEYS, *COLUMNS]


def test_many_rows_are_worked_on_in_blocks_to_the_same_figures() -> None:
    rows = counts(*((f"p{i}", "", case, 1 + i % 3) for i in range(300) for case in "abc"))
    grid = rows[["protocol"]].drop_duplicates(ignore_index=True)
    found = estimated(grid, *2 * [Terms(rows, ["protocol"])])
    assert found["numerator"].tolist() == [3 * (1 + i % 3) for i in range(300)]
