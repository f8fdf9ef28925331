"""`round_robin`: seats answer one after another, round by round."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.stopping import STOPS
from protocols.transcript import Transcript
from protocols.view import ask_turn


def round_robin(
    case: Case, *, rounds: int = 4, stop: str = "consensus", transcript: Transcript = Transcript()
) -> Dialogue[Transcript]:
    """A turn is one step: whoever speaks has seen all earlier rounds and the earlier speakers of this one.

    Goes on from `transcript` and ends at the end of a round where `stop` (a key of `STOPS`) holds, or
    after round `rounds` >= 1.
    """
    ends = STOPS[stop]
    for round in range(transcript.rounds + 1, rounds + 1):
        for position in range(1, len(case.seats) + 1):
            step = (ask_turn(case, transcript, position, round, rounds),)
            replies = yield step
            transcript = transcript.then(step, replies)
        if ends(transcript):
            break
    return transcript
