"""Inherited values: those that a seat takes from others when it changes its verdict. Counted.

The event is a seat's first readable verdict that differs from its readable one of round 1. Inherited are
the values that it names then, that it did not in round 1 and that an opponent did in round 1. For
comparison the same is counted of seats that never changed in a debate of two rounds or more, as if the
event were in their last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.courses import ALONE
from analysis.values.course import NONE, Course
from analysis.values.join import Labelled
from analysis.values.said import SEPARATOR
from analysis.values.sets import Bools, Ints, Sets, listed
from analysis.values.sums import Adding

WINDOWS = ("event", "final", "any")
"""Where a value must be named to be inherited: at the event, in the last round, in any from the event on."""

SEATS = ("changed", "kept")
"""Seats that changed their verdict, and seats that never did."""

COUNTED, LOST, OFFERED, INHERITED = "seats", "seats lost", "offered", "inherited"
EVENTS, NEW, HEARD = "events", "event new", "event heard"
"""What is counted: seats, values that they could have inherited and did; events, and their values."""


@dataclass(frozen=True, slots=True)
class Taking:
    """Some seats: what each had named in round 1, what later, what its opponents had in round 1.

    `first` are the rows of their turns in round 1; a seat counts where all three are known.
    """

    first: Ints
    own: Sets
    later: Sets
    heard: Sets
    known: Bools

    @property
    def sets(self) -> dict[str, Sets]:
        """The values that could be inherited, and those that were, of the seats that count."""
        counting = np.where(self.known[:, None], ~np.uint64(0), np.uint64(0))
        offered = self.heard & ~self.own & counting
        return {OFFERED: offered, INHERITED: offered & self.later}


def count(adding: Adding, course: Course, labelled: Labelled, window: str) -> None:
    """Counts seats, what they could have inherited and what they did in one of the `WINDOWS`, by model.

    A seat without a set where one is needed, its own or that of an opponent in round 1, is lost.
    """
    changed, kept = taken(course, labelled, window)
    for item, taking in enumerate((changed, kept)):
        for what, rows in ((COUNTED, taking.known), (LOST, ~taking.known)):
            columns = _columns(course, taking.first[rows], item)
            adding.add(what, labelled.name, columns, items=SEATS)
        for what, sets in taking.sets.items():
            owner, value = listed(sets)
            columns = {**_columns(course, taking.first[owner], item), "value": value}
            adding.add(what, labelled.name, columns, items=SEATS)
    _tell(adding, course, labelled.name, changed)


def _tell(adding: Adding, course: Course, name: str, changed: Taking) -> None:
    """Keeps of each event, by debate and seat, what was new and what opponents had said.

    This is what the permutation test is made of, in which opponents are exchanged.
    """
    turns = course.turns
    names = [f"{turns.debates[turns.debate[row]]} {turns.seat[row]}" for row in changed.first[changed.known]]
    new = changed.later & ~changed.own
    for what, sets in ((NEW, new), (HEARD, changed.heard)):
        owner, value = listed(sets[changed.known])
        columns = _columns(course, changed.first[changed.known][owner], 0)
        adding.add(what, name, {**columns, "item": owner, "value": value}, items=names)
    columns = _columns(course, changed.first[changed.known], 0)
    adding.add(EVENTS, name, {**columns, "item": np.arange(len(names))}, items=names)


def taken(course: Course, labelled: Labelled, window: str) -> Iterator[Taking]:
    """Of both kinds of `SEATS` in turn, those that hear somebody: what they took in the window."""
    heard, complete = _heard(course, labelled)
    for seats, events in _events(course):
        first = course.slots.first[seats]
        later, known = _named(course, labelled, window, seats, events)
        everything = known & labelled.known[first] & complete[seats]
        yield Taking(first, labelled.sets[first], later, heard[seats], everything)


def _events(course: Course) -> Iterator[tuple[Ints, Ints]]:
    """The slots of both kinds of `SEATS`, and the rows of their events."""
    slots, turns = course.slots, course.turns
    alone = np.array([design.split(SEPARATOR)[1] in ALONE for design in turns.designs], np.bool_)
    hearing = np.zeros(len(slots.first), np.bool_)
    hearing[turns.slot] = (turns.seats > 1) & ~alone[turns.design]
    changed, kept = np.flatnonzero((slots.event != NONE) & hearing), np.flatnonzero(slots.kept & hearing)
    yield changed, slots.event[changed]
    yield kept, slots.final[kept]


def _named(course: Course, labelled: Labelled, window: str, seats: Ints, events: Ints) -> tuple[Sets, Bools]:
    """What these seats named in the window, and whether all labels for it are there."""
    if window != "any":
        rows = events if window == "event" else course.slots.final[seats]
        return labelled.sets[rows], labelled.known[rows]
    turns, n = course.turns, len(course.slots.first)
    begin = np.full(n, np.iinfo(np.int64).max)
    changed = course.slots.event[seats] != NONE
    begin[seats] = np.where(changed, turns.round[events], 2)
    rows = np.flatnonzero(turns.round >= begin[turns.slot])
    named = np.zeros((n, labelled.sets.shape[1]), np.uint64)
    np.bitwise_or.at(named, turns.slot[rows], labelled.sets[rows])
    complete = np.ones(n, np.bool_)
    complete[turns.slot[rows[~labelled.known[rows]]]] = False
    return named[seats], complete[seats]


def _heard(course: Course, labelled: Labelled) -> tuple[Sets, Bools]:
    """By slot: what its opponents named in round 1, and whether all of them have a set there."""
    turns, (left, right) = course.turns, course.pairs
    first = turns.round[left] == 1
    one, other = np.concatenate([left[first], right[first]]), np.concatenate([right[first], left[first]])
    heard = np.zeros((len(course.slots.first), labelled.sets.shape[1]), np.uint64)
    np.bitwise_or.at(heard, turns.slot[one], labelled.sets[other])
    complete = np.ones(len(heard), np.bool_)
    complete[turns.slot[one[~labelled.known[other]]]] = False
    return heard, complete


def _columns(course: Course, rows: Ints, item: int) -> dict[str, Ints]:
    turns = course.turns
    return {
        "design": turns.design[rows],
        "case_id": turns.case[rows],
        "one": turns.model[rows],
        "item": np.full(len(rows), item),
    }
