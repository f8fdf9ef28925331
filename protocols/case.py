"""What is put before a panel, and the seats of that panel."""

from __future__ import annotations

from dataclasses import dataclass, field

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Sampling
from protocols.prompts import Prompts


@dataclass(frozen=True, slots=True)
class Seat:
    """A place on the panel; the same model may sit in several.

    `name` is the seat's identity in the record, `label` how the others hear of it ("Agent 2"),
    `system` the complete system prompt it is given for this case, and `prompt_hash` the id of the
    prompt texts that went into it.
    """

    name: str
    label: str
    model: str
    system: str
    sampling: Sampling = Sampling()
    steering: str = "default"
    stance: str | None = None
    prompt_hash: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One dilemma or question before one panel, whose seats stand in speaking order.

    There is no truth in it: the right answer of a question is joined by the analysis.
    """

    id: str
    text: str
    seats: tuple[Seat, ...]
    title: str = ""
    answer_format: AnswerFormat = AnswerFormat()
    prompts: Prompts = field(default_factory=Prompts)
    seed: int = 0
