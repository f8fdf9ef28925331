"""`solo`: every seat answers once, alone."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.openings import assigned
from protocols.transcript import Transcript
from protocols.view import ask_turn


def solo(case: Case) -> Dialogue[Transcript]:
    """One step in which each seat is asked once and hears nobody; repetitions give self-consistency.

    Where the case assigns openings to its seats these stand, and nobody is asked.
    """
    if case.openings:
        return assigned(case)
    nothing = Transcript()
    step = tuple(ask_turn(case, nothing, position, 1, None) for position in range(1, len(case.seats) + 1))
    replies = yield step
    return nothing.then(step, replies)
