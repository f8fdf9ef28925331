"""`synchronous`: all seats answer at the same time, round by round."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.stopping import STOPS
from protocols.transcript import Transcript
from protocols.view import ask_turn


def synchronous(
    case: Case, *, rounds: int = 4, stop: str = "consensus", transcript: Transcript = Transcript()
) -> Dialogue[Transcript]:
    """A round is one step: whoever speaks in it has seen all earlier rounds and nothing of this one.

    Goes on from `transcript` and ends at the end of a round where `stop` (a key of `STOPS`) holds, or
    after round `rounds` >= 1.
    """
    ends = STOPS[stop]
    for round in range(transcript.rounds + 1, rounds + 1):
        positions = range(1, len(case.seats) + 1)
        step = tuple(ask_turn(case, transcript, position, round, rounds) for position in positions)
        replies = yield step
        transcript = transcript.then(step, replies)
        if ends(transcript):
            break
    return transcript
