"""Similarity of the values of two seats, as an index from 0 to 1: counted.

Jaccard: the values that both named, by those that either did. Where neither named any it is undefined, and
such a pair of turns is left out; where one did, it is 0. The soft variant adds to the numerator, with a
weight each, one-to-one pairs of the remaining values that are of one group.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.values.course import Course
from analysis.values.join import Labelled
from analysis.values.sets import Bools, Ints, Sets, among, size
from analysis.values.sums import GRAIN, Adding
from analysis.values.taxonomy import Taxonomy

WEIGHT = 0.5
"""What a pair of values of one group counts in the soft variant, if not told otherwise."""

KINDS = ("jaccard", "soft")

WITHIN = ("disagreement", "agreement")
"""What two seats are in, in one round: they gave different verdicts, or the same."""

ENDS = ("no consensus", "consensus")
"""Whether a debate that began with disagreement had a round with consensus, the last or one before."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Pairs of turns: their rows, whether both have a set, whether any value is in them, and both `KINDS`."""

    left: Ints
    right: Ints
    known: Bools
    some: Bools
    units: dict[str, Ints]


def similarities(one: Sets, other: Sets, taxonomy: Taxonomy, weight: float = WEIGHT) -> dict[str, Ints]:
    """Both `KINDS` for pairs of sets, in units of 1 / `GRAIN`; 0 where neither set has a value."""
    unit = GRAIN // np.maximum(size(one | other), 1)  # exact for up to ten values
    extra = np.zeros(len(one), np.int64)
    for group in taxonomy.related():
        extra += np.minimum(size(among(one & ~other, group)), size(among(other & ~one, group)))
    shared = size(one & other) * unit
    return {"jaccard": shared, "soft": shared + np.rint(extra * weight * unit).astype(np.int64)}


def compare(course: Course, labelled: Labelled, taxonomy: Taxonomy, weight: float = WEIGHT) -> Compared:
    """The pairs of turns of one round, with what this labelling says of them."""
    left, right = course.pairs
    one, other = labelled.sets[left], labelled.sets[right]
    known = labelled.known[left] & labelled.known[right]
    return Compared(left, right, known, size(one | other) > 0, similarities(one, other, taxonomy, weight))


def count(adding: Adding, course: Course, name: str, compared: Compared) -> None:
    """Counts similarities by pair of models: within agreement and disagreement, and from first to last."""
    _count_rounds(adding, course, name, compared)
    _count_ends(adding, course, name, compared)


def _count_rounds(adding: Adding, course: Course, name: str, compared: Compared) -> None:
    """Pairs of turns said in the debate, both with readable verdicts, by whether these agree."""
    turns, left, right = course.turns, compared.left, compared.right
    chosen = (turns.verdict[left] >= 0) & (turns.verdict[right] >= 0) & ~turns.opening[left]
    agree = (turns.verdict[left] == turns.verdict[right]).astype(np.int64)
    measured = chosen & compared.known & compared.some
    for what, rows in (("rounds", measured), ("rounds lost", chosen & ~compared.known)):
        at = np.flatnonzero(rows)
        columns = {**_pair(course, left[at], right[at]), "item": agree[at]}
        adding.add(what, name, columns, items=WITHIN)
        for kind in KINDS if what == "rounds" else ():
            adding.add(f"rounds {kind}", name, columns, compared.units[kind][at], items=WITHIN)


def _count_ends(adding: Adding, course: Course, name: str, compared: Compared) -> None:
    """Pairs of seats of debates that disagreed in round 1 and went on: both ends of each."""
    turns, facts = course.turns, course.debates
    debate, round = turns.debate[compared.left], turns.round[compared.left]
    going_on = facts.disagreed[debate] & (facts.last[debate] > 1)
    seats = turns.slot[compared.left] * (int(turns.slot.max(initial=0)) + 1) + turns.slot[compared.right]
    first, last = (np.flatnonzero(going_on & at) for at in (round == 1, round == facts.last[debate]))
    _, one, other = np.intersect1d(seats[first], seats[last], assume_unique=True, return_indices=True)
    first, last = first[one], last[other]
    known = compared.known[first] & compared.known[last]
    some = compared.some[first] & compared.some[last]
    agreed = facts.agreed[turns.debate[compared.left]].astype(np.int64)
    for what, rows in (("ends", known & some), ("ends lost", ~known)):
        at = first[rows]
        columns = {**_pair(course, compared.left[at], compared.right[at]), "item": agreed[at]}
        adding.add(what, name, columns, items=ENDS)
        for kind in KINDS if what == "ends" else ():
            adding.add(f"first {kind}", name, columns, compared.units[kind][at], items=ENDS)
            adding.add(f"last {kind}", name, columns, compared.units[kind][last[rows]], items=ENDS)


def _pair(course: Course, left: Ints, right: Ints) -> dict[str, Ints]:
    """Columns of a pair of seats: its models in the order of their names."""
    turns = course.turns
    models = turns.model[left], turns.model[right]
    return {
        "design": turns.design[left],
        "case_id": turns.case[left],
        "one": np.minimum(*models),
        "other": np.maximum(*models),
    }
