"""What came of each course of verdicts: consensus, changes, first and last verdicts.

Every function takes the `verdicts` of `courses.Courses`, an array of courses by rounds by seats.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from analysis.courses import SILENT, UNREADABLE, Codes, Numbers

Flags = NDArray[np.bool_]

Missing = Literal["disagree", "exclude", "worst"]
"""What an unreadable turn means for the consensus of its round.

- `disagree`: it agrees with nothing, as in the debate itself. The least consensus there can have been.
- `exclude`: a debate with an unreadable turn in any round leaves numerators and denominator.
- `worst`: it agrees with whatever the others say; a round in which nobody could be read agrees too.
  The most consensus there can have been: the share with consensus up to any round, had all turns
  been readable, lies between those of `disagree` and `worst`.
"""


def check(missing: str) -> None:
    """Raises `ValueError` for a reading of unreadable turns that is none."""
    if missing not in get_args(Missing):
        raise ValueError(f"missing is {missing!r}; it may be {', '.join(get_args(Missing))}")


def counted(verdicts: Codes, missing: Missing) -> Flags:
    """The courses that count under a reading of unreadable turns."""
    check(missing)
    return legible(verdicts) if missing == "exclude" else np.ones(len(verdicts), np.bool_)


def legible(verdicts: Codes) -> Flags:
    """The courses in which every turn could be read."""
    readable: Flags = ~(verdicts == UNREADABLE).any(axis=(1, 2))
    return readable


def consensus_round(verdicts: Codes, missing: Missing = "disagree") -> Numbers:
    """The first round with consensus, from 1; 0 for none.

    There is consensus in a round when every seat gave a readable verdict in it and all are equal; a
    majority is none.
    """
    check(missing)
    readable, spoken = verdicts >= 0, verdicts != SILENT
    seated = spoken.any(axis=1, keepdims=True)
    complete = (spoken | ~seated).all(axis=2) & spoken.any(axis=2)
    highest = np.where(readable, verdicts, -1).max(axis=2, initial=-1)
    lowest = np.where(readable, verdicts, np.iinfo(np.int16).max).min(axis=2, initial=np.iinfo(np.int16).max)
    agreed = complete & (lowest >= highest)
    if missing != "worst":
        agreed &= (readable == spoken).all(axis=2)
    return np.where(agreed.any(axis=1), _first(agreed) + 1, 0)


def consensus_verdict(verdicts: Codes, missing: Missing = "disagree") -> Codes:
    """What the seats first agreed on; `UNREADABLE` without consensus, or where nobody could be read in it."""
    rounds = consensus_round(verdicts, missing)
    agreed = np.take_along_axis(verdicts, np.maximum(rounds - 1, 0)[:, None, None], axis=1)[:, 0]
    return np.where(rounds > 0, np.maximum(agreed.max(axis=1), UNREADABLE), UNREADABLE).astype(np.int16)


def opening(verdicts: Codes) -> Codes:
    """The verdicts of round 1, courses by seats."""
    return verdicts[:, 0]


def ending(verdicts: Codes) -> Codes:
    """The verdicts of the last round, courses by seats."""
    return np.take_along_axis(verdicts, rounds(verdicts)[:, None, None] - 1, axis=1)[:, 0]


def rounds(verdicts: Codes) -> Numbers:
    """The last round in which anybody spoke."""
    spoken = (verdicts != SILENT).any(axis=2)
    last: Numbers = verdicts.shape[1] - _first(spoken[:, ::-1])
    return last


def last_readable(verdicts: Codes) -> tuple[Codes, Numbers]:
    """Each seat's last readable verdict, and its round; `UNREADABLE` and 0 where it has none."""
    readable = verdicts >= 0
    latest = np.where(readable.any(axis=1), verdicts.shape[1] - _first(readable[:, ::-1]), 0)
    found = np.take_along_axis(verdicts, np.maximum(latest - 1, 0)[:, None], axis=1)[:, 0]
    silent = (verdicts == SILENT).all(axis=1)
    return np.where(latest > 0, found, np.where(silent, SILENT, UNREADABLE)).astype(np.int16), latest


def changed(verdicts: Codes) -> Flags:
    """Seats of which any later readable verdict differs from the readable one of round 1."""
    first = opening(verdicts)
    moved: Flags = (first >= 0) & ((verdicts >= 0) & (verdicts != first[:, None])).any(axis=1)
    return moved


def ended(verdicts: Codes) -> Flags:
    """Seats of which the last readable verdict differs from the readable one of round 1."""
    first = opening(verdicts)
    moved: Flags = (first >= 0) & (last_readable(verdicts)[0] != first)
    return moved


def disagreed(verdicts: Codes) -> Flags:
    """Courses with two different readable verdicts in round 1."""
    first = opening(verdicts)
    highest = first.max(axis=1, initial=UNREADABLE)
    apart: Flags = ((first >= 0) & (first < highest[:, None])).any(axis=1)
    return apart


def turns(verdicts: Codes) -> Numbers:
    """How many turns were taken."""
    taken: Numbers = (verdicts != SILENT).sum(axis=(1, 2))
    return taken


def _first(flags: Flags) -> Numbers:
    """The place of the first true value along axis 1; 0 where there is none."""
    places: Numbers = flags.argmax(axis=1)
    return places
