"""Intervals by bootstrap over cases."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.bootstrap import DRAWS, intervals, ratio


def test_equal_cases_have_an_interval_without_width() -> None:
    low, high = intervals(ratio, np.full((5, 1), 1), np.full((5, 1), 4))
    assert (low[0], high[0]) == (0.25, 0.25)


def test_equals_drawing_cases_with_replacement_and_counting_again() -> None:
    dice = np.random.default_rng(1)
    below = dice.integers(1, 9, (40, 1))
    above = dice.binomial(below, 0.3)
    drawn = dice.integers(0, 40, (4000, 40))
    plain = above[drawn, 0].sum(axis=1) / below[drawn, 0].sum(axis=1)
    low, high = intervals(ratio, above, below)
    assert [low[0], high[0]] == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.006)


def test_of_independent_cases_it_is_nearly_the_interval_of_a_proportion() -> None:
    low, high = intervals(ratio, np.arange(1000)[:, None] < 412, np.ones((1000, 1), int))
    assert (low[0], high[0]) == pytest.approx((0.382, 0.443), abs=0.002)


def test_a_case_counts_once_however_many_debates_it_has() -> None:
    above, below = np.arange(20)[:, None] < 8, np.ones((20, 1), int)
    assert np.array_equal(intervals(ratio, above, below), intervals(ratio, 50 * above, 50 * below))


def test_draws_without_the_denominator_are_left_out_and_where_none_is_left_there_is_no_interval() -> None:
    below = np.array([[1, 0], [1, 0], [0, 0], [0, 0]])
    above = np.array([[1, 0], [0, 0], [0, 0], [0, 0]])
    low, high = intervals(ratio, above, below)
    assert (low[0], high[0]) == (0, 1)
    assert np.isnan([low[1], high[1]]).all()


def test_columns_do_not_depend_on_those_beside_them_nor_on_how_draws_are_cut() -> None:
    dice = np.random.default_rng(2)
    below = dice.integers(1, 5, (300, 7))
    above = dice.binomial(below, 0.5)
    together = np.array(intervals(ratio, above, below))
    alone = np.hstack([intervals(ratio, above[:, [i]], below[:, [i]]) for i in range(7)])
    assert np.array_equal(together, alone)


def test_sums_too_great_for_short_floats_are_exact() -> None:
    above, below = np.array([[2**40 + 1], [2**40 + 1]]), np.array([[2**40], [2**40]])
    low, high = intervals(ratio, above, below)
    assert low[0] == high[0] == 1 + 2**-40


def test_without_cases_there_is_nothing_to_draw() -> None:
    assert np.isnan(intervals(ratio, np.zeros((0, 2)), np.zeros((0, 2)))).all()
    assert DRAWS == 10_000


def test_many_cases_of_few_kinds_are_drawn_by_kind_to_the_same_interval() -> None:
    """6,000 cases of 4 kinds are drawn by kind; with one more column of many kinds, as cases."""
    dice = np.random.default_rng(3)
    below = dice.integers(0, 2, (6000, 1))
    above = dice.binomial(below, 0.2)
    several = dice.integers(1, 100, (6000, 1))
    by_kind = intervals(ratio, above, below)
    mixed = intervals(ratio, np.hstack([several, above]), np.hstack([several, below]))
    assert np.array_equal(np.ravel(by_kind), [mixed[0][1], mixed[1][1]])
    share, cases = above.sum() / below.sum(), below.sum()
    half = 1.96 * np.sqrt(share * (1 - share) / cases)
    assert np.ravel(by_kind) == pytest.approx([share - half, share + half], abs=0.001)
    assert (mixed[0][0], mixed[1][0]) == (1, 1)


def test_several_statistics_of_one_draw_are_stacked() -> None:
    above, below = np.arange(20)[:, None] < 8, np.ones((20, 1), int)
    low, high = intervals(lambda one, two: np.stack([ratio(one, two), 1 - ratio(one, two)]), above, below)
    assert low.shape == (2, 1)
    assert (1 - high[0], 1 - low[0]) == (pytest.approx(low[1]), pytest.approx(high[1]))
