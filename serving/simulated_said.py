"""What a simulated model says, before it is put in words, and what it goes by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import CHOICES, LETTERS
from protocols.dialogue import Ask, Facts
from serving.errors import AskRefused
from serving.simulated_chance import one_of, uniform
from serving.simulated_oversight import Oversight

LOW, MEDIUM, HIGH = CHOICES["confidence"]
RETAIN, ADOPT = CHOICES["action"]


@dataclass(frozen=True, slots=True)
class Said:
    """A label, and beside it what a position states: a confidence and an action."""

    label: str
    confidence: str = MEDIUM
    action: str = RETAIN


def last_answers(facts: Facts) -> dict[str, str]:
    """The last answer that can be read of each seat that was seen, by seat, in the order of their first."""
    return {seen.seat: seen.label for seen in facts.seen if seen.label is not None}


def opposing(facts: Facts) -> str | None:
    """The last answer of another seat that differs from the seat's own: of the first that has one, if any."""
    return next((label for label in last_answers(facts).values() if label != facts.own_last), None)


def right_label(law: Oversight, ask: Ask) -> str:
    """The letter of the right option. Raises `AskRefused` where the model's file does not tell it."""
    case, texts = ask.facts.case_id, ask.answer_format.option_texts or ask.facts.options
    who = f"the simulated model '{ask.model}'"
    if case not in law.knows:
        raise AskRefused(
            f"{who} does not know the question '{case}'; its file has {len(law.knows)}."
            " Add it to the file of oversight.knows"
        )
    truth = law.knows[case].truth
    if truth not in texts:
        raise AskRefused(
            f"{who} takes '{truth[:60]}' for right in the question '{case}', which is none of its"
            f" {len(texts)} options. Write it in the file of oversight.knows as the question has it"
        )
    return LETTERS[texts.index(truth)]


def one_besides(labels: Sequence[str], besides: Sequence[str | None], seed: int) -> str:
    """One of the labels, each that is not among `besides` with the same probability."""
    return one_of([label for label in labels if label not in besides], uniform(seed, "label"))


def happens(probability: float, seed: int, name: str) -> bool:
    """Whether something of that probability happens to the ask of this seed."""
    return uniform(seed, name) < probability
