"""Inherited values: those that a seat takes from others when it changes its verdict. Counted.

The event is a seat's first readable verdict that differs from its readable one of round 1. Inherited are
the values that it names then, that it did not in round 1 and that an opponent did in round 1. For
comparison the same is counted of seats that never changed in a debate of two rounds or more, as if the
event were in their last round.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.values.course import NONE, Course
from analysis.values.join import Labelled
from analysis.values.sets import Bools, Ints, Sets, listed
from analysis.values.sums import Adding

WINDOWS = ("event", "final", "any")
"""Where a value must be named to be inherited: at the event, in the last round, or in any from the event on."""

SEATS = ("changed", "kept")
"""Seats that changed their verdict, and seats that never did."""


def count(adding: Adding, course: Course, labelled: Labelled) -> None:
    """Counts seats, what they could have inherited and what they did, by model, in each of the `WINDOWS`.

    A seat without a label where one is needed, its own or that of an opponent in round 1, is lost. Of the
    default window each changed seat is told too: what was new, and what opponents had said.
    """
    heard, complete = _heard(course, labelled)
    for item, (seats, events) in enumerate(_seats(course)):
        first = course.slots.first[seats]
        own = labelled.sets[first]
        for window, later, known in _windows(course, labelled, seats, events):
            measured = known & labelled.known[first] & complete[seats]
            columns = _columns(course, first, item)
            new, offered = later & ~own, heard[seats] & ~own
            for what, rows in (("seats", measured), ("seats lost", ~measured)):
                adding.add(f"{what} {window}", labelled.name, _rows(columns, np.flatnonzero(rows)), items=SEATS)
            for what, sets in (("offered", offered), ("inherited", new & heard[seats])):
                owner, value = listed(np.where(measured[:, None], sets, np.uint64(0)))
                told = {**_rows(columns, owner), "value": value}
                adding.add(f"{what} {window}", labelled.name, told, items=SEATS)
            if window == WINDOWS[0] and not item:
                at = np.flatnonzero(measured)
                _tell(adding, course, labelled.name, seats[at], new[at], heard[seats[at]])


def _seats(course: Course) -> Iterator[tuple[Ints, Ints]]:
    """The `SEATS` that hear somebody: their slots, and the rows of their events."""
    slots, turns = course.slots, course.turns
    alone = np.array([design.split("\x1f")[1] == "solo" for design in turns.designs], np.bool_)
    hearing = np.zeros(len(slots.first), np.bool_)
    hearing[turns.slot] = (turns.seats > 1) & ~alone[turns.design]
    changed, kept = np.flatnonzero((slots.event != NONE) & hearing), np.flatnonzero(slots.kept & hearing)
    yield changed, slots.event[changed]
    yield kept, slots.final[kept]
