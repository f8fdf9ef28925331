"""The two ways in which a round is played."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.transcript import Transcript
from protocols.view import FULL, View, ask_turn


def at_once(
    case: Case, transcript: Transcript, round: int, rounds: int, view: View = FULL
) -> Dialogue[Transcript]:
    """A round in one step: whoever speaks in it has seen earlier rounds and nothing of this one."""
    positions = range(1, len(case.seats) + 1)
    step = tuple(ask_turn(case, transcript, position, round, rounds, view) for position in positions)
    replies = yield step
    return transcript.then(step, replies)


def in_turn(
    case: Case, transcript: Transcript, round: int, rounds: int, view: View = FULL
) -> Dialogue[Transcript]:
    """A round in which a turn is one step: whoever speaks has seen the earlier speakers of it, too."""
    for position in range(1, len(case.seats) + 1):
        step = (ask_turn(case, transcript, position, round, rounds, view),)
        replies = yield step
        transcript = transcript.then(step, replies)
    return transcript
