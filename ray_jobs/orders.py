"""Speaking orders: which sequences of a panel's seats are played; and permutations by number."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import permutations
from math import factorial

Order = tuple[int, ...]


def expand_orders(rule: object, kinds: Sequence[Hashable]) -> list[Order]:
    """The orders that `rule` asks for, seats numbered from 1 as `kinds` has them.

    `rule` is "all", "latin", "given", or a list of permutations. `kinds` says what sits in each seat:
    of several orders by "all" or "latin" with the same sequence of kinds the first is kept.
    """
    seats = len(kinds)
    match rule:
        case "all":
            return _distinct(permutations(range(1, seats + 1)), kinds)
        case "latin":
            return _distinct(latin_square(seats), kinds)
        case "given":
            return [tuple(range(1, seats + 1))]
        case list():
            return list(dict.fromkeys(tuple(order) for order in rule))
    raise ValueError(f"no rule for orders: {rule!r}")


def latin_square(seats: int) -> Iterator[Order]:
    """A balanced Latin square (Williams, 1949), for odd numbers of seats a pair of them.

    Over its rows each seat speaks in each place equally often, and right after each other seat
    equally often.
    """
    zigzag = [(place + 1) // 2 if place % 2 else -(place // 2) for place in range(seats)]
    rows = [tuple((start + shift) % seats + 1 for shift in zigzag) for start in range(seats)]
    yield from rows
    if seats % 2 and seats > 1:
        yield from (row[::-1] for row in rows)


def permutation_drawn(seats: int, number: int) -> tuple[int, ...]:
    """The permutation of 1..`seats` that a number, however large, stands for."""
    return permutation(seats, number % factorial(seats))


def permutation(seats: int, index: int) -> tuple[int, ...]:
    """The permutation of 1..`seats` at `index` (from 0) of all of them in lexicographic order."""
    left, chosen = list(range(1, seats + 1)), []
    for remaining in range(seats - 1, -1, -1):
        place, index = divmod(index, factorial(remaining))
        chosen.append(left.pop(place))
    return tuple(chosen)


def _distinct(orders: Iterator[Order], kinds: Sequence[Hashable]) -> list[Order]:
    first: dict[tuple[Hashable, ...], Order] = {}
    for order in orders:
        first.setdefault(tuple(kinds[seat - 1] for seat in order), order)
    return list(first.values())
