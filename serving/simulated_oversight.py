"""How often a simulated model is right about questions, what moves it, and how sure it says it is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator

from serving.simulated_known import Known, Probability, read_known

Levels: TypeAlias = tuple[Probability, Probability, Probability]
"""How often a confidence is said to be low, medium and high."""


class Confidence(BaseModel):
    """The confidence that is stated in an answer that is `right`, and in one that is `wrong`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    right: Levels = (0.1, 0.3, 0.6)
    wrong: Levels = (0.3, 0.4, 0.3)

    @field_validator("right", "wrong")
    @classmethod
    def _whole(cls, levels: Levels) -> Levels:
        if abs(sum(levels) - 1) > 1e-9:
            raise ValueError(f"low, medium and high add up to {sum(levels):.6g}; expected 1")
        return levels


class Oversight(BaseModel):
    """What decides how a model answers questions: probabilities, each from 0 to 1, drawn anew for each ask.

    Which option is right it `knows` from a file, by case id (`simulated_known.read_known`). It is read when
    the block is checked, so the block that travels holds what is known. `simulated_consultant` and
    `simulated_judge` state what each of the others does.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    knows: Annotated[dict[str, Known], Field(min_length=1)]
    right: Probability = 0.5
    adopts_right: Probability = 0.5
    adopts_wrong: Probability = 0.1
    confidence: Confidence = Confidence()
    states_wrongly: Probability = 0.0
    outside: Probability = 0.0
    unreadable: Probability = 0.0
    follows: Probability = 0.9
    q: Probability = 0.7
    outside_judge: Probability = 0.0

    @field_validator("knows", mode="before")
    @classmethod
    def _read_file(cls, knows: object) -> object:
        return read_known(Path(knows)) if isinstance(knows, str) else knows

    def alone(self, case_id: str) -> float:
        """The probability of the right answer to a question of the file, of its own or the model's."""
        own = self.knows[case_id].right
        return self.right if own is None else own
