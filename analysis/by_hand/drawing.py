"""Which explanations a sheet has, and in which order."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import nsmallest
from itertools import count

from analysis.by_hand.explanation import Explanation
from protocols.seeds import draw


class SheetError(ValueError):
    """A sheet that cannot be written; the message says what was found and what is allowed."""


def drawn(every: Iterable[Explanation], sample: int | None, seed: int, run: str) -> list[Explanation]:
    """A random `sample` of so many (None: all), in an order drawn from `seed`.

    A smaller sample is the beginning of a larger one. Raises `SheetError` when there are not so many.
    """
    numbers = count()
    keyed = ((draw(seed, f"sheet {each.id}"), each.id, next(numbers), each) for each in every)
    found = sorted(keyed) if sample is None else nsmallest(sample, keyed)
    counted = next(numbers)
    if not counted:
        raise SheetError(f"{run}: found no explanation in a debate that has ended")
    if sample is not None and sample > counted:
        raise SheetError(f"--sample: found {sample}; allowed: at most {counted}, which the run has")
    return [each for *_, each in found]
