"""Who hears whom on a panel: a rule by name, or for each seat a list of those it hears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

HEARS = ("full", "ring", "star")
"""The rules: everybody hears everybody; those next to oneself on the panel; seat 1 is the hub of all."""

NOBODY = "nobody"
"""The rule of seats that are alone."""

LEAST = {"full": 1, "ring": 4, "star": 3}
"""The seats from which on a rule differs from `full`."""

Hears: TypeAlias = str | Sequence[Sequence[int]]


def heard(hears: Hears, seats: int) -> tuple[frozenset[int], ...]:
    """The numbers, from 1, of the seats that each of the `seats` hears, in the order of the panel.

    `hears` is one of `HEARS`: in a `ring`, which is closed, a seat hears the one before it and the one after
    it; in a `star` seat 1 hears all and is the only one that the others hear. Or it is `NOBODY`, or lists
    whom each seat hears, itself left aside.
    """
    numbers = range(1, seats + 1)

    def one(seat: int) -> set[int]:
        if not isinstance(hears, str):
            return set(hears[seat - 1])
        if hears == "ring":
            return {(seat - 2) % seats + 1, seat % seats + 1}
        if hears == NOBODY:
            return set()
        return {1} if hears == "star" and seat != 1 else set(numbers)

    return tuple(frozenset(one(seat) - {seat}) for seat in numbers)
