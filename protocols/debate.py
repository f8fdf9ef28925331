"""`debate`: seats argue for fixed stances, and hear each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocols.argument import Arguing
from protocols.case import Case, Seat
from protocols.dialogue import Dialogue
from protocols.hearing import Hears
from protocols.inquiry import inquiry
from protocols.openings import opened, opposed, stances
from protocols.transcript import Transcript
from protocols.view import View

FORMS = ("simultaneous", "alternating")


def debate(
    case: Case,
    *,
    form: str = "simultaneous",
    first: str = "alternating",
    turns: int = 3,
    words: int = 0,
    hears: Hears = "full",
    sits_in: Seat | None = None,
    transcript: Transcript = Transcript(),
) -> Dialogue[Transcript]:
    """Every seat argues for what it opened with, in `turns` >= 1 turns; there is no consensus to be found.

    The `form` is one of `FORMS`; of an alternating debate `first` is the form of the first turn. Whom each
    seat `hears` is as in `View`; a judge, if one `sits_in`, asks all of them between the turns. Goes on from
    `transcript`, or from openings that are asked first; openings are heard by nobody. An argument has at most
    `words` words, 0 for no limit. A seat without a readable opening does not argue, and where the others hold
    one label nobody does.
    """
    transcript = yield from opened(case, transcript)
    arguing = Arguing(case, stances(case, transcript), turns, words, transcript.rounds, View(hears))
    transcript = replace(transcript, unheard=len(transcript.steps))
    arguers = [seat for seat in case.seats if seat.name in arguing.stances]
    for turn in range(1, turns + 1) if opposed([*arguing.stances.values()]) else ():
        together = form == "simultaneous" or (turn == 1 and first == "simultaneous")
        for group in _groups(arguers, together):
            step = tuple(arguing.ask(transcript, seat, turn) for seat in group)
            replies = yield step
            transcript = transcript.then(step, replies, arguing.turn)
        if sits_in and turn < turns:
            transcript = yield from inquiry(case, transcript, sits_in, turns - turn)
    return transcript


def _groups(seats: Sequence[Seat], together: bool) -> list[Sequence[Seat]]:
    """The seats that write at the same time, group after group."""
    return [seats] if together else [(seat,) for seat in seats]
