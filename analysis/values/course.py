"""The course of debates: what the measures of values need to know of them, found once for all labellings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.values.said import Said
from analysis.values.sets import Bools, Ints

NONE = -1
"""Stands for no row."""


@dataclass(frozen=True, slots=True)
class Debates:
    """By debate: its last round, whether seats disagreed in round 1, and whether they agreed in any round.

    Seats disagree where two readable verdicts differ; they agree where all are readable and equal: in the
    round of first consensus, as `measures.consensus` has it, be it the last or did the debate go on.
    """

    last: Ints
    disagreed: Bools
    agreed: Bools


@dataclass(frozen=True, slots=True)
class Slots:
    """By seat of a debate: the rows of its turn in round 1, at its first change of verdict, and its last.

    `NONE` where there is no such turn. A change is a readable verdict that differs from a readable one of
    round 1; `kept` are seats that never changed, with a readable verdict in round 1 and later rounds.
    """

    first: Ints
    event: Ints
    final: Ints
    kept: Bools


@dataclass(frozen=True, slots=True)
class Course:
    """Turns, what happened in their debates and seats, and the rows of every two turns of one round."""

    turns: Said
    debates: Debates
    slots: Slots
    pairs: tuple[Ints, Ints]


def course(turns: Said) -> Course:
    """The course of the debates that these turns are of."""
    return Course(turns, debates(turns), slots(turns), pairs(turns))


def debates(turns: Said) -> Debates:
    """What happened in each debate, by its number."""
    n, rounds = len(turns.debates), int(turns.round.max(initial=1)) + 1
    last, seats = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.maximum.at(last, turns.debate, turns.round)
    seats[turns.debate] = turns.seats
    differing, readable = _spread(turns, rounds)
    agreed = ~differing & (readable == np.maximum(seats, 2)[:, None])
    return Debates(last, differing[:, 1], agreed.any(axis=1))


def slots(turns: Said) -> Slots:
    """What each seat of a debate did, by its slot."""
    n = int(turns.slot.max(initial=-1)) + 1
    rows = np.arange(len(turns))
    first, event, final = (np.full(n, NONE, np.int64) for _ in range(3))
    opening = rows[turns.round == 1]
    first[turns.slot[opening]] = opening
    final[turns.slot] = rows  # rows are in order of rounds: the last stays
    began = np.where(first[turns.slot] == NONE, NONE, turns.verdict[first[turns.slot]])
    moved = rows[(turns.round > 1) & (turns.verdict >= 0) & (began >= 0) & (turns.verdict != began)]
    changed, at = np.unique(turns.slot[moved], return_index=True)
    event[changed] = moved[at]
    readable = (first != NONE) & (turns.verdict[first] >= 0) if len(turns) else np.zeros(n, np.bool_)
    return Slots(first, event, final, readable & (event == NONE) & (final != first))


def pairs(turns: Said) -> tuple[Ints, Ints]:
    """The rows of the turns of every two seats of one debate in one round, each pair once."""
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    most = int(turns.seats.max(initial=0))
    for apart in range(1, most):
        one = np.arange(max(len(turns) - apart, 0))
        other = one + apart
        together = (turns.debate[one] == turns.debate[other]) & (turns.round[one] == turns.round[other])
        left.append(one[together])
        right.append(other[together])
    return np.concatenate(left), np.concatenate(right)


def _spread(turns: Said, rounds: int) -> tuple[Bools, Ints]:
    """By debates and rounds: whether two readable verdicts differ, and how many are readable."""
    read = turns.verdict >= 0
    at, verdict, n = (turns.debate * rounds + turns.round)[read], turns.verdict[read], len(turns.debates)
    low, high = np.full(n * rounds, len(turns.verdicts)), np.full(n * rounds, -1)
    np.minimum.at(low, at, verdict)
    np.maximum.at(high, at, verdict)
    count = np.bincount(at, minlength=n * rounds)
    return (low < high).reshape(n, rounds), count.reshape(n, rounds)
