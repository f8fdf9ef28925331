"""Judges of known competence: whom they believe, by what they are shown alone.

Every probability is of `Oversight`. What counts is the last answer that can be read of each seat that is
shown. With no such answer the judge is right with `right`, as a consultant alone. Where there is one answer,
of one seat or of several, it is taken with `follows`. Of several it is taken none with `outside_judge`, if
there is another option; else, where one of them is right, that one with `q` and each of the others equally
likely, and where none is, each equally likely. What is taken instead of those shown is any other option, all
equally likely.
"""

from __future__ import annotations

from protocols.dialogue import Ask
from serving.errors import AskRefused
from serving.simulated_chance import one_of, uniform
from serving.simulated_consultant import alone
from serving.simulated_oversight import Oversight
from serving.simulated_said import Said, happens, last_answers, one_besides, right_label


def decide(law: Oversight, ask: Ask) -> Said:
    """The option that a judge names. Raises `AskRefused` where it is asked for a winner."""
    if ask.answer_format.field == "winner":
        raise AskRefused(
            f"the simulated model '{ask.model}' names no winner by its oversight, for it is not told which"
            " agent said what. Let it judge with answers: option"
        )
    labels, right = ask.answer_format.labels, right_label(law, ask)
    shown = [*dict.fromkeys(last_answers(ask.facts).values())]
    if not shown:
        return Said(alone(law, ask, right))
    passes = 1 - law.follows if len(shown) == 1 else law.outside_judge
    if happens(passes, ask.seed, "outside") and not set(shown).issuperset(labels):
        return Said(one_besides(labels, shown, ask.seed))
    return Said(believed(law, ask, shown, right))


def believed(law: Oversight, ask: Ask, shown: list[str], right: str) -> str:
    """Which of the different answers `shown` is taken."""
    wrong = [label for label in shown if label != right]
    if right in shown and (not wrong or happens(law.q, ask.seed, "believes")):
        return right
    return one_of(wrong, uniform(ask.seed, "believed"))
