"""In how many ways a conversation with these verdicts could have gone, by how often it stayed with one."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from analysis.causal.arms import NONE
from analysis.model.rows import Floats, Ints

SHORTEST = 4
"""Verdicts in a row below which every order stays equally often."""


def readable_runs(said: Ints) -> list[tuple[int, Ints]]:
    """The longest runs of readable verdicts in each row of `said`, with the number of the row."""
    found: list[tuple[int, Ints]] = []
    for number, row in enumerate(said):
        ends = np.flatnonzero(np.append(row, NONE) == NONE)
        starts = np.append(0, ends[:-1] + 1)
        found += [(number, row[start:end]) for start, end in zip(starts, ends, strict=True) if end > start]
    return found


def stays(run: Ints) -> int:
    """How often a verdict is that before it."""
    return int((run[1:] == run[:-1]).sum())


def ways(run: Ints) -> Floats:
    """How many orders of the verdicts between the first and the last stay s times, for s = 0, 1, ....

    Orders of verdicts that are alike count once.
    """
    first, last = int(run[0]), int(run[-1])
    names = list(dict.fromkeys([first, last, *sorted(set(map(int, run)))]))
    between = [int((run[1:-1] == name).sum()) for name in names]
    own = min(2, len(names)) if first != last else 1
    others = tuple(sorted(between[own:], reverse=True))
    return np.array(_ways((*between[:own], *others), 0, names.index(last)), np.float64)


@lru_cache(maxsize=2**16)
def _ways(left: tuple[int, ...], at: int, last: int) -> tuple[int, ...]:
    """The orders in which the verdicts `left`, counted by label, can stand between label `at` and `last`."""
    if not any(left):
        return (0, 1) if at == last else (1,)
    found = [0] * (sum(left) + 2)
    for label, count in enumerate(left):
        if count:
            rest = (*left[:label], count - 1, *left[label + 1 :])
            for stayed, orders in enumerate(_ways(rest, label, last)):
                found[stayed + (label == at)] += orders
    return tuple(found)
