"""Who hears whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.hearing import HEARS, LEAST, NOBODY, heard


def test_the_rules_on_five_seats() -> None:
    assert heard("full", 5)[1] == {1, 3, 4, 5}
    assert heard("ring", 5) == ({5, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 1})
    assert heard("star", 5) == ({2, 3, 4, 5}, {1}, {1}, {1}, {1})
    assert heard(NOBODY, 5) == (frozenset(),) * 5
    assert heard([[2], [], [1, 2, 3], [5], [1]], 5) == ({2}, set(), {1, 2}, {5}, {1})


@pytest.mark.parametrize("rule", HEARS)
def test_a_rule_differs_from_full_from_so_many_seats_on(rule: str) -> None:
    assert all(heard(rule, seats) == heard("full", seats) for seats in range(1, LEAST[rule]))
    assert rule == "full" or all(heard(rule, n) != heard("full", n) for n in range(LEAST[rule], 9))


@given(rule=st.sampled_from(HEARS), seats=st.integers(1, 50))
def test_nobody_hears_itself_and_hearing_is_mutual(rule: str, seats: int) -> None:
    whom = heard(rule, seats)
    for seat, others in enumerate(whom, start=1):
        assert seat not in others
        assert all(1 <= other <= seats and seat in whom[other - 1] for other in others)
