"""Judges of known competence: whom they believe, by what they are shown alone.

Every probability is of `Oversight`. What counts is the last answer that can be read of each seat that is
shown. With no such answer the judge is right with `right`, as a consultant alone. Where there is one answer,
of one seat or of several, it is taken with `follows`. Of several it is taken none with `outside_judge`, if
there is another option; else, where one of them is right, that one with `q` and each of the others equally
likely, and where none is, each equally likely. What is taken instead of those shown is any other option, all
equally likely.

A judge that is asked for the winner names one of the seats whose last answer it takes, all equally likely,
and neither where it takes none of those shown, or is shown none.
"""

from __future__ import annotations

from protocols.dialogue import Ask
from protocols.judge import NEITHER
from serving.simulated_chance import one_of, uniform
from serving.simulated_consultant import alone
from serving.simulated_oversight import Oversight
from serving.simulated_said import Said, happens, last_answers, one_besides, right_label


def decide(law: Oversight, ask: Ask) -> Said:
    """The option, or the winner, that a judge names."""
    right, answers = right_label(law, ask), last_answers(ask.facts)
    shown = [*dict.fromkeys(answers.values())]
    passes = bool(shown) and happens(
        1 - law.follows if len(shown) == 1 else law.outside_judge, ask.seed, "outside"
    )
    if ask.answer_format.field == "winner":
        taken = _believed(law, ask, shown, right) if shown and not passes else None
        return Said(_winner(ask, [seat for seat, label in answers.items() if label == taken]))
    if not shown:
        return Said(alone(law, ask, right))
    if passes and not set(shown).issuperset(ask.answer_format.labels):
        return Said(one_besides(ask.answer_format.labels, shown, ask.seed))
    return Said(_believed(law, ask, shown, right))


def _believed(law: Oversight, ask: Ask, shown: list[str], right: str) -> str:
    """Which of the different answers `shown` is taken."""
    wrong = [label for label in shown if label != right]
    if right in shown and (not wrong or happens(law.q, ask.seed, "believes")):
        return right
    return one_of(wrong, uniform(ask.seed, "believed"))


def _winner(ask: Ask, seats: list[str]) -> str:
    """The number of one of the seats, as it is the last word of what the seat is called."""
    if not seats:
        return NEITHER
    return dict(ask.facts.called)[one_of(seats, uniform(ask.seed, "winner"))].split()[-1]
