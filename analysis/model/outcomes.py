"""What came of debates, for each condition and quantity: a flag for every debate that it is of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from analysis.model.plan import Plan
from analysis.model.rows import Flags, Ints
from analysis.model.simulate import Verdicts, agreed

CHANGE = "change of verdict"


class Outcome(NamedTuple):
    """Of the `debates` of a condition, by their number, whether something came about in each: `flags`.

    `seat` is the place, from 0, of the one that it is about; None of the whole panel.
    """

    condition: str
    quantity: str
    debates: Ints
    flags: Flags
    seat: int | None = None


def outcomes(plan: Plan, verdicts: Verdicts) -> Iterator[Outcome]:
    """Consensus in round 1, later or never, and change of verdict of each seat, for every condition by name.

    A seat whose first verdict is unreadable leaves its change of verdict.
    """
    condition = plan.condition().to_numpy(str)
    consensus = np.stack([agreed(verdicts[:, r], plan.seats) for r in range(verdicts.shape[1])], axis=1)
    first = verdicts[:, :1]
    differs: Flags = (verdicts >= 0) & (verdicts != first)
    changed: Flags = np.asarray(differs.any(axis=1))
    ever: Flags = np.asarray(consensus.any(axis=1))
    shares: dict[str, Flags] = {
        "consensus in round 1": consensus[:, 0],
        "consensus later": ever & ~consensus[:, 0],
        "no consensus": ~ever,
    }
    for name in np.unique(condition):
        these = np.flatnonzero(condition == name)
        for quantity, flags in shares.items():
            yield Outcome(str(name), quantity, these, flags[these])
        for seat in range(int(plan.seats[these[0]])):
            began = these[first[these, 0, seat] >= 0]
            model = plan.models[plan.model[these[0], seat]]
            quantity = f"{CHANGE}, seat {seat + 1} ({model})"
            yield Outcome(str(name), quantity, began, changed[began, seat], seat)
