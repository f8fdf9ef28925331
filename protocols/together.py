"""Two dialogues side by side, on one clock."""

from __future__ import annotations

from typing import TypeVar

from protocols.dialogue import Dialogue
from protocols.play import Play

A = TypeVar("A")
B = TypeVar("B")


def together(first: Dialogue[A], second: Dialogue[B]) -> Dialogue[tuple[A, B]]:
    """Both dialogues' steps joined into one, slots in branch order, until both have ended.

    The seeds of the joined step are stamped by whoever plays it, so the branches' own do not matter.
    """
    left, right = Play(first, seed=0), Play(second, seed=0)
    while not (left.done and right.done):
        width = len(left.step)
        replies = yield left.step + right.step
        for slot, reply in enumerate(replies[:width]):
            left.answer(slot, reply)
        for slot, reply in enumerate(replies[width:]):
            right.answer(slot, reply)
    return left.outcome, right.outcome
