"""`hybrid`: all seats answer at the same time in the first round, then one after another."""

from __future__ import annotations

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.hearing import Hears
from protocols.rounds import at_once, in_turn
from protocols.stopping import STOPS
from protocols.transcript import Transcript
from protocols.view import View


def hybrid(
    case: Case,
    *,
    rounds: int = 4,
    stop: str = "consensus",
    hears: Hears = "full",
    exposure: str = "all",
    history: str = "clean",
    transcript: Transcript = Transcript(),
) -> Dialogue[Transcript]:
    """Round 1 is as in `synchronous`, so first verdicts are given alone; all later ones as in `round_robin`.

    What seats are shown of each other is as in `View`. Goes on from `transcript` and ends at the end of a
    round where `stop` (a key of `STOPS`) holds, or after round `rounds` >= 1.
    """
    view = View(hears, exposure, history)
    for round in range(transcript.rounds + 1, rounds + 1):
        played = at_once if round == 1 else in_turn
        transcript = yield from played(case, transcript, round, rounds, view)
        if STOPS[stop](transcript):
            break
    return transcript
