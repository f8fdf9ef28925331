"""Use of values: the share of a model's messages in which a value occurs.

A message is a turn, counted in the debate in which it was said. One that has no label, or none that could
be read, leaves the denominator; one in which none of the values was found stays in.
"""

from __future__ import annotations

import numpy as np

from analysis.values.course import Course
from analysis.values.join import ABSENT, Labelled
from analysis.values.said import Said
from analysis.values.sets import Ints, listed
from analysis.values.sums import Adding

ROUNDS = ("1", "later")
"""Rounds that are told apart: the first, and all after it."""

USES, MESSAGES, UNREADABLE, UNLABELLED = "uses", "messages", "messages unreadable", "messages unlabelled"


def count(adding: Adding, course: Course, labelled: Labelled) -> None:
    """Counts messages, and the values in them, by model, verdict and the `ROUNDS` they are from."""
    turns, items = course.turns, ["", *course.turns.verdicts]
    owner, value = listed(labelled.sets)
    lost = np.where(labelled.states == ABSENT, UNLABELLED, UNREADABLE)
    counted_as = np.where(labelled.known, MESSAGES, lost)
    for rounds, chosen in zip(ROUNDS, (turns.round == 1, turns.round > 1), strict=True):
        own = chosen & ~turns.opening
        for what in (MESSAGES, UNREADABLE, UNLABELLED):
            rows = np.flatnonzero(own & (counted_as == what))
            adding.add(f"{what} {rounds}", labelled.name, _columns(turns, rows), items=items)
        used = own[owner]
        columns = {**_columns(turns, owner[used]), "value": value[used]}
        adding.add(f"{USES} {rounds}", labelled.name, columns, items=items)


def _columns(turns: Said, rows: Ints) -> dict[str, Ints]:
    return {
        "design": turns.design[rows],
        "case_id": turns.case[rows],
        "one": turns.model[rows],
        "item": turns.verdict[rows] + 1,
    }
