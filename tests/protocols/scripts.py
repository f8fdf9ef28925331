"""Short scripts for two seats and more: what each of them says, turn by turn."""

from __future__ import annotations

from collections.abc import Sequence

from protocols.dialogue import Ask, Reply
from tests.protocols.panels import Replier

UNREADABLE = "I come to no end."


def saying(*rounds: Sequence[str]) -> Replier:
    """Round by round what each seat says, in speaking order.

    A label alone is written out in the form asked for, with an argument that names seat and round; of a
    position it is retained where it was held before. Every other text is said as it stands.
    """

    def reply_to(ask: Ask) -> Reply:
        return Reply(written(ask, rounds[ask.round - 1][ask.position - 1]))

    return reply_to


def written(ask: Ask, said: str) -> str:
    """The text of a reply which says that."""
    form = ask.answer_format
    if said not in form.labels:
        return said
    action = "retain" if said == ask.facts.own_last else "adopt"
    parts = {"crux": f"Crux {ask.round}.", "confidence": "high", "action": action}
    return form.write(said, f"Reason {ask.position}.{ask.round}.", {"reasoning": "Thought.", **parts})
