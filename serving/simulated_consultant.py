"""Consultants of known competence: what they open with, argue for, hold on to and take up.

Every probability is of `Oversight`, and applies to each turn anew:

- Any turn cannot be read with `unreadable`: its reply is empty. What follows is of one that can.
- The first answer, alone, is right with `right`, or what the file has for the case; a wrong one is any of
  the wrong options, all equally likely.
- Any later answer, a position above all, is outside the two that are held with `outside`, where there is a
  third option, all others equally likely. Else the other seat's last answer is adopted with `adopts_right` if
  it is right, and with `adopts_wrong` if it is wrong, whether the seat's own is right or wrong, too; else the
  own is retained, as where nothing else is held. In a position a seat that holds nothing adopts.
- The confidence is drawn from `confidence.right` or `confidence.wrong` by the answer given. The action stated
  contradicts the answer with `states_wrongly`; of an answer outside it is "adopt", or else "retain".
- An argument is for the stance that it was asked for.
"""

from __future__ import annotations

from protocols.dialogue import Ask
from serving.simulated_chance import drawn, uniform
from serving.simulated_oversight import Oversight
from serving.simulated_said import (
    ADOPT,
    HIGH,
    LOW,
    MEDIUM,
    RETAIN,
    Said,
    happens,
    one_besides,
    opposing,
    right_label,
)


def consult(law: Oversight, ask: Ask) -> Said | None:
    """What a consultant says in a turn; None where it cannot be read."""
    if happens(law.unreadable, ask.seed, "unreadable"):
        return None
    if ask.facts.stance is not None:
        return Said(ask.facts.stance)
    right = right_label(law, ask)
    label = _answer(law, ask, right)
    levels = law.confidence.right if label == right else law.confidence.wrong
    stated = [RETAIN, ADOPT] if label == ask.facts.own_last else [ADOPT, RETAIN]
    return Said(
        label,
        drawn((LOW, MEDIUM, HIGH), levels, uniform(ask.seed, "confidence")),
        stated[happens(law.states_wrongly, ask.seed, "states wrongly")],
    )


def alone(law: Oversight, ask: Ask, right: str) -> str:
    """The answer of a model that goes by nothing but what it knows itself."""
    if happens(law.alone(ask.facts.case_id), ask.seed, "right"):
        return right
    return one_besides(ask.answer_format.labels, [right], ask.seed)


def _answer(law: Oversight, ask: Ask, right: str) -> str:
    own, other, labels = ask.facts.own_last, opposing(ask.facts), ask.answer_format.labels
    if own is None:
        return other if other is not None and ask.answer_format.parts else alone(law, ask, right)
    if happens(law.outside, ask.seed, "outside") and not {own, other}.issuperset(labels):
        return one_besides(labels, [own, other], ask.seed)
    if other is None:
        return own
    adopts = law.adopts_right if other == right else law.adopts_wrong
    return other if happens(adopts, ask.seed, "adopts") else own
