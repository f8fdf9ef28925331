"""`majority`: as many answers given alone as a debate would take calls, and the label that wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.seeds import draw
from protocols.transcript import Transcript
from protocols.view import ask_turn


def majority(case: Case, *, rounds: int = 4) -> Dialogue[Transcript]:
    """One step in which each seat is asked `rounds` >= 1 times, independently, in the words of `solo`.

    So it takes exactly the calls that a debate of the same panel takes at most in so many rounds. The label
    that most readable answers of all seats give is the decision; of several, one is drawn.
    """
    nothing = Transcript()
    places = [(round, at + 1) for round in range(1, rounds + 1) for at in range(len(case.seats))]
    step = tuple(ask_turn(case, nothing, position, round, None) for round, position in places)
    replies = yield step
    transcript = nothing.then(step, replies)
    labels = (turn.label for turn in transcript.turns)
    return replace(transcript, apart=True, voted=True, decision=winner(labels, case.seed))


def winner(labels: Iterable[str | None], seed: int) -> str | None:
    """The label given most often; of several that one which `seed` draws, None where there is no label."""
    given = Counter(label for label in labels if label is not None)
    most = [label for label in sorted(given) if given[label] == max(given.values())]
    return most[draw(seed, "majority") % len(most)] if most else None
