"""Differences paired by case, against figures by hand."""

from __future__ import annotations

import pandas as pd
import pytest
from scipy.stats import binomtest, t, ttest_rel

from analysis.contrast import COLUMNS, MCNEMAR, UNPAIRED, adjusted, differences, pairs
from analysis.estimates import ONE_CASE, Terms
from analysis.t_test import ALIKE, T_TEST

KEYS = ["panel", "order"]


def outcomes(**orders: str) -> tuple[Terms, Terms]:
    """Numerator and denominator of panel "p": a word per order, a character per case: 1, 0, - for none."""
    rows = pd.DataFrame(
        [
            ("p", order, f"case {place:02}", int(one))
            for order, word in orders.items()
            for place, one in enumerate(word)
            if one != "-"
        ],
        columns=[*KEYS, "case_id", "count"],
    )
    return Terms(rows, KEYS), Terms(rows.assign(count=1), KEYS)


def contrast(**orders: str) -> pd.DataFrame:
    above, below = outcomes(**orders)
    return differences(pairs(below.rows, ["panel"], "order"), "order", above, below)


def test_only_paired_cases_are_compared() -> None:
    [row] = contrast(a="1100-1", b="10101-").to_dict("records")
    assert (row["value"], row["against"], row["cases"]) == ("b", "a", 4)
    assert (row["numerator"], row["denominator"]) == (2, 4)
    assert (row["against_numerator"], row["against_denominator"]) == (2, 4)
    assert (row["estimate"], row["relative"]) == (0, 0)
    assert (row["gained"], row["lost"], row["p"], row["test"]) == (1, 1, 1, MCNEMAR)


def test_mcnemar_is_the_sign_test_of_the_cases_that_differ() -> None:
    [row] = contrast(a="0" * 9 + "1" + 10 * "1", b="1" * 9 + "0" + 10 * "1").to_dict("records")
    assert (row["gained"], row["lost"]) == (9, 1)
    assert row["p"] == row["p_adjusted"] == pytest.approx(binomtest(1, 10).pvalue)
    assert row["estimate"] == pytest.approx(8 / 20)
    assert row["relative"] == pytest.approx(19 / 11 - 1)
    assert row["low"] < row["estimate"] < row["high"]


def test_pairing_narrows_the_interval_of_what_varies_between_cases_alone() -> None:
    [row] = contrast(a="1" * 50 + "0" * 50, b="1" * 50 + "0" * 50).to_dict("records")
    assert (row["estimate"], row["low"], row["high"]) == (0, 0, 0)


def test_several_debates_of_a_case_are_tested_by_the_t_of_its_cases() -> None:
    """Two debates under each order in every case: as many, so the test is that of the cases' own shares."""
    above, below = outcomes(a="1100", b="1111")
    more, _ = outcomes(a="1000", b="1110")
    twice = Terms(pd.concat([below.rows, below.rows]), KEYS)
    won = Terms(pd.concat([above.rows, more.rows]), KEYS)
    [row] = differences(pairs(below.rows, ["panel"], "order"), "order", won, twice).to_dict("records")
    expected = ttest_rel([1, 1, 1, 0.5], [1, 0.5, 0, 0])
    assert row["estimate"] == pytest.approx(7 / 8 - 3 / 8)
    assert row["p"] == row["p_adjusted"] == pytest.approx(expected.pvalue)
    assert (row["test"], row["reason"]) == (T_TEST, "")
    assert pd.isna(row["gained"])
    assert pd.isna(row["lost"])


def test_cases_of_unlike_size_move_a_ratio_by_what_they_weigh() -> None:
    """2 of 3 debates against 0 of 2: the one case has shifts (2-4/3)/3 - 0, the other its negative."""
    above, below = outcomes(a="00", b="10")
    heavy = Terms(pd.concat([below.rows, below.rows[2:3]]), KEYS)
    won = Terms(pd.concat([above.rows, above.rows[2:3]]), KEYS)
    [row] = differences(pairs(below.rows, ["panel"], "order"), "order", won, heavy).to_dict("records")
    shift = (2 - 2 / 3 * 2) / 3
    assert row["p"] == pytest.approx(2 * t.sf((2 / 3) / (shift * 2), 1))


def test_cases_that_all_say_the_same_leave_no_test_and_say_so() -> None:
    above, below = outcomes(a="000", b="111")
    won, all_of = (Terms(pd.concat([one.rows, one.rows]), KEYS) for one in (above, below))
    [row] = differences(pairs(below.rows, ["panel"], "order"), "order", won, all_of).to_dict("records")
    assert (row["estimate"], row["test"], row["reason"]) == (1, "", ALIKE)
    assert pd.isna(row["p"])
    assert row["low"] == row["high"] == 1


@pytest.mark.parametrize(("a", "b", "reason"), [("1-", "-1", UNPAIRED), ("1-", "11", ONE_CASE)])
def test_what_cannot_be_compared_says_why(a: str, b: str, reason: str) -> None:
    [row] = contrast(a=a, b=b).to_dict("records")
    assert row["reason"] == reason
    assert pd.isna(row["low"])
    assert pd.isna(row["estimate"]) == (reason == UNPAIRED)


def test_relative_to_nothing_is_null() -> None:
    [row] = contrast(a="000", b="110").to_dict("records")
    assert row["estimate"] == pytest.approx(2 / 3)
    assert pd.isna(row["relative"])


def test_pairs_stand_against_the_baseline_or_all_against_each_other() -> None:
    rows = pd.DataFrame({"panel": "p", "order": ["1-2-3", "2-1-3", "3-2-1"]})
    found = pairs(rows, ["panel"], "order")
    assert found[["value", "against"]].to_numpy().tolist() == [
        ["2-1-3", "1-2-3"],
        ["3-2-1", "1-2-3"],
        ["3-2-1", "2-1-3"],
    ]
    based = pairs(rows, ["panel"], "order", baselines=["2-1-3"])
    assert based["against"].tolist() == ["2-1-3", "2-1-3"]
    assert pairs(rows[:1], ["panel"], "order").empty


def test_what_left_the_denominators_is_of_both_sides() -> None:
    above, below = outcomes(a="11", b="11")
    lost = Terms(below.rows.assign(count=[1, 2, 3, 4]), KEYS)
    found = differences(pairs(below.rows, ["panel"], "order"), "order", above, below, unreadable=lost)
    assert found["unreadable"].tolist() == [10]
    assert found["failed"].tolist() == [0]


def test_without_pairs_the_columns_are_there() -> None:
    assert list(contrast(a="10").columns) == ["panel", "value", "against", *COLUMNS]


def test_false_discovery_rate_over_all_that_was_to_be_tested() -> None:
    """A row without a test counts as one with p = 1, and has none itself."""
    found = adjusted(pd.Series([0.01, None, 0.02, 0.9]))
    assert found[[0, 2, 3]] == pytest.approx([0.04, 0.04, 1])
    assert pd.isna(found[1])
    assert found[[0, 2, 3]] == pytest.approx(adjusted(pd.Series([0.01, 1, 0.02, 0.9]))[[0, 2, 3]])


def test_of_cases_that_do_not_differ_mcnemar_says_1_and_they_are_in_the_family() -> None:
    found = contrast(a="0" * 12, b="1" * 12, c="0" * 12).set_index(["value", "against"])
    assert found.loc[("c", "a"), ["gained", "lost", "p"]].tolist() == [0, 0, 1]
    assert found.loc[("b", "a"), "p_adjusted"] == pytest.approx(found.loc[("b", "a"), "p"] * 3 / 2)
