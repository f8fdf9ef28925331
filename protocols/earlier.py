"""What went before a debate that goes on from another: rounds in which seats heard each other otherwise."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from protocols.transcript import Transcript

Form = Literal["together", "in_turn"]
FORMS: dict[str, Form] = {
    "synchronous": "together",
    "reask": "together",
    "round_robin": "in_turn",
    "hybrid": "in_turn",
}
"""How the seats write in a round of each structure: all at the same time, or one after another."""

FIRST: dict[str, Form] = {"hybrid": "together"}
"""How they write in the first round, where that is otherwise."""


def form(transcript: Transcript, round: int) -> Form:
    """How the seats wrote in a round of the transcript."""
    steps = [step for step in transcript.steps if step[0].round == round]
    return "together" if len(steps) == 1 else "in_turn"


def otherwise(transcript: Transcript, protocol: str) -> str:
    """The rounds of the transcript that had another form than those of `protocol`, in words; "" for none.

    Structures that begin with openings tell of them in their own way.
    """
    if protocol not in FORMS:
        return ""
    rounds = range(1, transcript.rounds + 1)

    def expected(round: int) -> Form:
        return FIRST.get(protocol, FORMS[protocol]) if round == 1 else FORMS[protocol]

    spans = [
        list(span)
        for other, span in groupby(rounds, lambda round: form(transcript, round) != expected(round))
        if other
    ]
    said = [str(span[0]) if len(span) == 1 else f"{span[0]} to {span[-1]}" for span in spans]
    if not said:
        return ""
    return f"{'Round' if said == [str(spans[0][0])] else 'Rounds'} {' and '.join(said)}"
