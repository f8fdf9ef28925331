"""What stands in the cells of a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.cells import BAR, BLOCKS, bar, money, number, part, share

COUNTS = st.lists(st.integers(0, 500), min_size=1, max_size=5)


def lengths(counts: Sequence[int]) -> list[int]:
    """How many characters each count has in the bar of all."""
    drawn = bar(counts).plain
    return [drawn.count(character) for character, _ in BLOCKS[: len(counts)]]


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [
        ([1, 1], [10, 10]),
        ([0, 3, 0], [0, 20, 0]),
        ([0, 0], [0, 0]),
        ([1, 1, 1], [7, 7, 6]),
        ([998, 1, 1], [18, 1, 1]),
    ],
)
def test_a_bar_is_divided_as_the_counts_are(counts: list[int], drawn: list[int]) -> None:
    assert lengths(counts) == drawn


@given(COUNTS)
def test_every_bar_is_equally_long_and_every_count_is_seen(counts: list[int]) -> None:
    drawn = lengths(counts)
    assert sum(drawn) == (BAR if any(counts) else 0)
    assert [length > 0 for length in drawn] == [count > 0 for count in counts]


@given(COUNTS, st.integers(2, 9))
def test_equal_shares_make_equal_bars(counts: list[int], times: int) -> None:
    assert bar([times * count for count in counts]).plain == bar(counts).plain


@given(st.lists(st.integers(30, 500), min_size=1, max_size=5))
def test_no_part_of_a_bar_is_more_than_a_character_away_from_its_share(counts: list[int]) -> None:
    for count, length in zip(counts, lengths(counts), strict=True):
        assert abs(length - BAR * count / sum(counts)) <= 1 or length == 1


def test_more_counts_than_characters_still_all_have_one() -> None:
    assert len(bar([1] * 23).plain) == 23


def test_narrow_intervals_keep_a_decimal() -> None:
    assert share({"estimate": 0.5, "low": 0.4, "high": 0.6}).plain == "50.0%\n40–60"
    assert share({"estimate": 1.0, "low": 0.9988, "high": 1.0}).plain == "100.0%\n99.9–100.0"


def test_an_estimate_without_interval_stands_alone() -> None:
    assert share({"estimate": 0.5, "low": math.nan, "high": math.nan}).plain == "50.0%"
    assert share(
        {"estimate": 0.5, "wilson_low": 0.1, "wilson_high": 0.9}, ("wilson_low", "wilson_high")
    ).plain == ("50.0%\n10–90")


def test_unknown_numbers_are_dashes() -> None:
    assert (number(None).plain, number(1234).plain) == ("–", "1,234")
    assert (money(None).plain, money(0.5).plain) == ("–", "$0.5000")
    assert [money(usd).plain for usd in (0, 0.00001, 0.0001, 1234.5)] == [
        "$0.0000",
        "under $0.0001",
        "$0.0001",
        "$1,234.5000",
    ]
    assert (part(None, None).plain, part(11, 11 / 26).plain) == ("–", "11\n42.3%")
    assert share({"denominator": 0}).plain == "–"


def test_where_all_cases_agree_the_interval_is_that_of_wilson() -> None:
    row = {"estimate": 0.0, "low": 0.0, "high": 0.0, "wilson_low": 0.0, "wilson_high": 0.088}
    assert share(row).plain == "0.0%\n0–9†"
    assert share(row, ("wilson_low", "wilson_high")).plain == "0.0%\n0–9", "which it is anyway"
