"""`reask`: every seat is asked again and again, and hears nobody."""

from __future__ import annotations

from dataclasses import replace

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.hearing import NOBODY
from protocols.rounds import at_once
from protocols.transcript import Transcript
from protocols.view import View

ALONE = View(hears=NOBODY)


def reask(case: Case, *, rounds: int = 4, transcript: Transcript = Transcript()) -> Dialogue[Transcript]:
    """All seats answer at the same time in every round, each shown its own earlier turns and nothing else.

    What changes from round to round is the inertia of a seat alone, by which the influence of others in a
    debate is measured. Goes on from `transcript`, and never ends before round `rounds` >= 1.
    """
    for round in range(transcript.rounds + 1, rounds + 1):
        transcript = yield from at_once(case, transcript, round, rounds, ALONE)
    return replace(transcript, apart=True)
