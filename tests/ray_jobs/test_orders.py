"""Which speaking orders a panel is played in."""

from collections import Counter
from itertools import pairwise
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ray_jobs.orders import expand_orders, latin_square


@pytest.mark.parametrize("seats", range(1, 6))
def test_all_are_the_permutations_of_seats_that_differ(seats: int) -> None:
    orders = expand_orders("all", list(range(seats)))
    assert len(orders) == factorial(seats)
    assert orders[0] == tuple(range(1, seats + 1))
    assert {tuple(sorted(order)) for order in orders} == {orders[0]}


def test_orders_with_the_same_sequence_are_played_once_in_the_first_of_them() -> None:
    assert expand_orders("all", "mm") == [(1, 2)]
    assert expand_orders("latin", "mmm") == [(1, 2, 3)]
    assert expand_orders("all", "aab") == [(1, 2, 3), (1, 3, 2), (3, 1, 2)]


@given(seats=st.integers(2, 50))
@settings(max_examples=49, deadline=None)
def test_a_latin_square_is_balanced(seats: int) -> None:
    """Each seat stands in each place, and right after each other seat, equally often."""
    rows = list(latin_square(seats))
    assert len(rows) == (seats if seats % 2 == 0 else 2 * seats)
    places = Counter((place, seat) for row in rows for place, seat in enumerate(row))
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert len(places) == seats * seats
    assert len(neighbours) == seats * (seats - 1)
    assert len(set(places.values())) == len(set(neighbours.values())) == 1


@pytest.mark.parametrize("kinds", ["abab", "aabb", "ababab", "aab", "aabbb", "abcabc"])
def test_a_latin_square_stays_balanced_when_models_sit_twice(kinds: str) -> None:
    """Each model stands in each place as often as in each other."""
    rows = expand_orders("latin", kinds)
    places = Counter((place, kinds[seat - 1]) for row in rows for place, seat in enumerate(row))
    for kind in set(kinds):
        assert len({places[place, kind] for place in range(len(kinds))}) == 1


def test_given_orders_are_played_as_given() -> None:
    assert expand_orders("given", "mm") == [(1, 2)]
    assert expand_orders([[2, 1], [1, 2], [2, 1]], "mm") == [(2, 1), (1, 2)]
