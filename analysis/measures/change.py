"""Change of verdict: the share of debates in which a seat left its first verdict.

A seat changed its verdict when any later readable verdict of it differs from its readable verdict of
round 1, so one that came back to where it began has changed too. A debate counts for every seat whose
round-1 verdict is readable, whether or not anyone disagreed. Where nobody hears anybody, in debates of
one seat and in `solo`, there is nothing to change for, and they do not count.

A debate that goes on from another counts in its own stage with its whole transcript: its first verdict
is that of the debate it goes on from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.courses import ALONE, UNREADABLE, Courses
from analysis.estimates import Terms, estimated
from analysis.measures.gather import gather
from analysis.outcomes import Flags
from analysis.tally import CONDITION, groups

LEVELS = ("seat", "seats", "debate", "panel")
"""Each seat by itself; all seats of the model, each counted; a debate with any such seat, counted once; a
debate with any seat at all, counted once."""

AMONG = ("all", "disagreed", "no consensus")
"""All debates; those with two different verdicts in round 1; those without consensus in any round."""

EVENTS = ("changed", "ended")
"""Any later readable verdict differs from the first; the last one does."""

SEATED, NAMES = ("level", "model", "seat"), ("among", "event")

POOLED = tuple(name for name in CONDITION if name not in ("panel", "order"))
"""What a table of opponents is told by: all panels and orders together."""

Reach = Callable[[Courses, pd.DataFrame, Flags], Flags]

EMPTY = "no such debate with a readable first verdict"


def estimate(courses: Courses, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Rates of change of verdict, in each condition.

    Keys: those of `by`; level, of `LEVELS`; model, "" for `panel`; seat, "" but for `seat`; among, of
    `AMONG`; event, of `EVENTS`. The denominator of seats counts seats, else it counts debates. `unreadable`
    is what left it as the round-1 verdict could not be read. The Wilson interval of `seats` takes the seats
    of one debate for independent. Sorted by the keys.
    """
    return _told(courses, happened(courses, by), [*by, *SEATED], by)


def by_opponent(courses: Courses, by: Sequence[str] = POOLED) -> pd.DataFrame:
    """The same for the seats of each model, by whom it sits with.

    Keys: those of `by`; model; opponents, the models of the other seats joined by "+"; among; event.
    """
    rows = heard(courses)
    keys = [*by, "model", "opponents"]
    return _told(courses, gather(rows, keys, flags(courses, rows, _own), NAMES), keys, by)


def happened(courses: Courses, by: Sequence[str]) -> pd.DataFrame:
    """How many seats or debates are among some debates and in an event, by case.

    Columns: those of `by`, `SEATED`, case_id, count, among and event, which beside `EVENTS` may be
    `eligible` or `unreadable`, see `flags`.
    """
    found = [
        gather(rows, [*by, "model", "seat"], events, NAMES).assign(level=level)
        for level, rows, events in _levels(courses)
    ]
    told = pd.concat(found, ignore_index=True).astype({"model": "category", "seat": "category"})
    return told.assign(level=pd.Categorical(told["level"], LEVELS))


def heard(courses: Courses) -> pd.DataFrame:
    """The slots of debates in which seats hear each other."""
    slots = courses.slots
    return slots[~slots["protocol"].isin(ALONE) & (slots["n_seats"] >= 2)]


def terms(happened: pd.DataFrame, keys: Sequence[str]) -> tuple[Terms, Terms, Terms]:
    """Numerator, denominator and what is unreadable of rates by `keys`, among and event."""
    eligible, unreadable = (happened[happened["event"] == name] for name in ("eligible", "unreadable"))
    return (
        Terms(happened, [*keys, "among", "event"]),
        Terms(eligible, [*keys, "among"]),
        Terms(unreadable, [*keys, "among"]),
    )


def _told(courses: Courses, happened: pd.DataFrame, keys: list[str], by: Sequence[str]) -> pd.DataFrame:
    told = pd.MultiIndex.from_product([AMONG, EVENTS], names=["among", "event"]).to_frame(index=False)
    told = told.assign(
        among=pd.Categorical(told["among"], AMONG), event=pd.Categorical(told["event"], EVENTS)
    )
    grid = groups(keys, happened).merge(told, how="cross").sort_values([*keys, "among", "event"])
    failed = Terms(courses.lost(heard=True), by)
    return estimated(grid, *terms(happened, keys), failed, EMPTY)


def _levels(courses: Courses) -> Iterator[tuple[str, pd.DataFrame, dict[tuple[str, ...], Flags]]]:
    """For each level its rows, and the events in them."""
    slots = heard(courses)
    yield "seat", slots, flags(courses, slots, _own)
    yield "seats", slots.assign(seat=""), flags(courses, slots, _own)
    foremost = slots[slots["foremost"]].assign(seat="")
    yield "debate", foremost, flags(courses, foremost, Courses.alike)
    panels = slots[slots["place"] == 0].assign(seat="", model="")
    yield "panel", panels, flags(courses, panels, _any)


def flags(courses: Courses, rows: pd.DataFrame, reach: Reach) -> dict[tuple[str, ...], Flags]:
    """For each row, whether it is among some debates and in an event, by `NAMES`.

    `reach` tells which seats an event of the row may be in. Beside `EVENTS` there are `eligible`, with a
    readable first verdict, and `unreadable`, with none but unreadable ones.
    """
    verdicts, course = courses.verdicts, rows["course"]
    first = outcomes.opening(verdicts)
    seats = {
        "eligible": first >= 0,
        "unreadable": first == UNREADABLE,
        "changed": outcomes.changed(verdicts),
        "ended": outcomes.ended(verdicts),
    }
    found = {event: reach(courses, rows, own) for event, own in seats.items()}
    found["unreadable"] &= ~found["eligible"]
    among: dict[str, Flags] = {
        "all": np.ones(len(rows), bool),
        "disagreed": outcomes.disagreed(verdicts)[course],
        "no consensus": outcomes.consensus_round(verdicts)[course] == 0,
    }
    return {(name, event): own & chosen for name, chosen in among.items() for event, own in found.items()}


def _own(_: Courses, rows: pd.DataFrame, events: Flags) -> Flags:
    """Events of the seat itself."""
    own: Flags = events[rows["course"], rows["place"]]
    return own


def _any(_: Courses, rows: pd.DataFrame, events: Flags) -> Flags:
    """Events of any seat."""
    anyone: Flags = np.any(events[rows["course"]], axis=1)
    return anyone
