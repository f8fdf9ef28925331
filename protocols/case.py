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
    prompt texts that went into it. A confederate is `planted` a label that it gives in every round; what
    it explains that with is its `script`, or where there is none what its model writes.
    """

    name: str
    label: str
    model: str
    system: str
    sampling: Sampling = Sampling()
    steering: str = "default"
    prompt_hash: str = ""
    planted: str = ""
    script: str | None = None

    @property
    def number(self) -> int:
        """The place on the panel, from 1, that its name ends with."""
        return int(self.name.removeprefix("seat"))


@dataclass(frozen=True, slots=True)
class Case:
    """One dilemma or question before one panel, whose seats stand in speaking order.

    There is no truth in it: the right answer of a question is joined by the analysis. `openings` are the
    label and the argument that each seat of the panel begins with, where the data assigns them; with
    `stance_swap` seats argue for what the seat after them has opened with.
    """

    id: str
    text: str
    seats: tuple[Seat, ...]
    title: str = ""
    answer_format: AnswerFormat = AnswerFormat()
    prompts: Prompts = field(default_factory=Prompts)
    seed: int = 0
    openings: tuple[tuple[str, str], ...] = ()
    stance_swap: bool = False

    @property
    def panel(self) -> tuple[Seat, ...]:
        """The seats in the order of the panel, by the number at the end of their names."""
        return tuple(sorted(self.seats, key=lambda seat: seat.number))
