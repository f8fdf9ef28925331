"""`consultancy` and `double_consultancy`: somebody argues for an answer, alone, before whoever decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocols.argument import Arguing
from protocols.case import Case, Seat
from protocols.dialogue import Dialogue
from protocols.hearing import NOBODY
from protocols.inquiry import inquiry
from protocols.openings import opened, stances
from protocols.transcript import Transcript
from protocols.view import View


def consultancy(
    case: Case,
    *,
    consultant: int = 1,
    turns: int = 3,
    words: int = 0,
    sits_in: Seat | None = None,
    transcript: Transcript = Transcript(),
) -> Dialogue[Transcript]:
    """The seat at the place `consultant` >= 1 of the panel argues for its opening in `turns` >= 1 turns.

    It hears nobody but the questions of a judge, if one `sits_in` and asks between the turns. Goes on from
    `transcript`, or from openings that are asked first. An argument has at most `words` words, 0 for no
    limit. Without a readable opening there is nothing to argue for.
    """
    return _advised(case, case.panel[consultant - 1 : consultant], turns, words, transcript, sits_in)


def double_consultancy(
    case: Case, *, turns: int = 3, words: int = 0, transcript: Transcript = Transcript()
) -> Dialogue[Transcript]:
    """As many consultancies as there are seats, a turn of all of them in one step; none hears another."""
    return _advised(case, case.panel, turns, words, transcript)


def _advised(
    case: Case,
    consultants: Sequence[Seat],
    turns: int,
    words: int,
    transcript: Transcript,
    sits_in: Seat | None = None,
) -> Dialogue[Transcript]:
    transcript = yield from opened(case, transcript)
    arguing = Arguing(case, stances(case, transcript), turns, words, transcript.rounds, View(NOBODY))
    silent = tuple(seat.name for seat in case.seats if seat not in consultants)
    transcript = replace(transcript, unheard=len(transcript.steps), apart=True, silent=silent)
    advising = [seat for seat in case.seats if seat in consultants and seat.name in arguing.stances]
    for turn in range(1, turns + 1) if advising else ():
        step = tuple(arguing.ask(transcript, seat, turn) for seat in advising)
        replies = yield step
        transcript = transcript.then(step, replies, arguing.turn)
        if sits_in and turn < turns:
            transcript = yield from inquiry(case, transcript, sits_in, turns - turn)
    return transcript
