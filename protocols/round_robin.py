"""`round_robin`: seats answer one after another, round by round."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.hearing import Hears
from protocols.rounds import in_turn
from protocols.stopping import STOPS
from protocols.transcript import Transcript
from protocols.view import View


def round_robin(
    case: Case,
    *,
    rounds: int = 4,
    stop: str = "consensus",
    hears: Hears = "full",
    exposure: str = "all",
    history: str = "clean",
    transcript: Transcript = Transcript(),
) -> Dialogue[Transcript]:
    """A turn is one step: whoever speaks has seen all earlier rounds and the earlier speakers of this one.

    What seats are shown of each other is as in `View`. Goes on from `transcript` and ends at the end of a
    round where `stop` (a key of `STOPS`) holds, or after round `rounds` >= 1.
    """
    view = View(hears, exposure, history)
    for round in range(transcript.rounds + 1, rounds + 1):
        transcript = yield from in_turn(case, transcript, round, rounds, view)
        if STOPS[stop](transcript):
            break
    return transcript
