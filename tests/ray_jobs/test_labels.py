"""Which number each seat is called by."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ray_jobs.design import Cell
from ray_jobs.labels import numbers
from ray_jobs.orders import permutation

CELL = Cell("synchronous", "{}", ("a", "b", "c"), (1, 2, 3), ("none",) * 3, "text", "balanced")


@pytest.mark.parametrize("seats", range(1, 6))
def test_permutations_are_found_by_their_index(seats: int) -> None:
    expected = list(permutations(range(1, seats + 1)))
    assert [permutation(seats, index) for index in range(factorial(seats))] == expected


@given(st.text(max_size=20), st.integers(0, 2**31), st.integers(1, 100))
def test_repetitions_go_through_all_labels_in_turn(case_id: str, seed: int, first: int) -> None:
    """Over as many repetitions as there are permutations each seat has each number equally often."""
    found = [numbers(CELL, seed, case_id, first + more) for more in range(6)]
    assert set(found) == set(permutations((1, 2, 3)))


def test_cases_spread_over_all_labels() -> None:
    """A law of chance, held to fixed draws: 6,000 cases over 6 permutations, four standard deviations."""
    found = Counter(numbers(CELL, 0, f"case {number}", 1) for number in range(6000))
    assert len(found) == 6
    assert all(abs(count - 1000) < 4 * (6000 * 5 / 36) ** 0.5 for count in found.values())


def test_fixed_labels_count_along_the_panel_and_given_ones_stand() -> None:
    assert numbers(replace(CELL, labels="fixed"), 0, "x", 2) == (1, 2, 3)
    assert numbers(replace(CELL, labels=(3, 1, 2)), 0, "x", 2) == (3, 1, 2)


def test_labels_follow_the_speaking_order() -> None:
    """Seat 3 speaks first, so it is number 1."""
    assert numbers(replace(CELL, labels="speaking", order=(3, 1, 2)), 0, "x", 2) == (2, 3, 1)
