"""Confederates as an experiment states them, and the label that a debate plants in their seats."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from protocols.answer_format import LETTERS, VERDICTS
from protocols.seeds import draw
from ray_jobs.assistance import Seats
from ray_jobs.design_block import ProtocolEntry
from ray_jobs.problems import not_allowed

PLANTED = "planted"
DRAWN, CROSSED = "drawn", "crossed"
PLANTABLE = ("synchronous", "round_robin", "hybrid")
"""The protocols in which seats give labels of their own and hear those of others."""

EVERY_LABEL = (*VERDICTS, *LETTERS)


def scripts(value: object) -> object:
    """One text for all labels, or a text for each that may be planted."""
    if isinstance(value, str) or (
        isinstance(value, dict) and value and all(isinstance(text, str) for text in value.values())
    ):
        return value
    raise not_allowed("a text, or {label: text} with a text for each label that may be planted")


def plantable(value: object) -> object:
    """A label, or the rule by which it comes about."""
    if value in (DRAWN, CROSSED, *EVERY_LABEL):
        return value
    raise not_allowed(f"drawn, crossed, one of {', '.join(VERDICTS)}, or the letter of an option")


class Planted(BaseModel):
    """The `seats` (numbers on the panel) that are confederates, and what is planted in all of them.

    Their `verdict` is `drawn` from the labels for each debate, all equally likely, `crossed`, every verdict
    once, or a label. They explain it with the `text`, or with what their models write.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: Seats
    verdict: Annotated[str, BeforeValidator(plantable)] = DRAWN
    text: Annotated[str | dict[str, str] | None, BeforeValidator(scripts)] = Field(default=None)

    def may_be(self, labels: Sequence[str]) -> list[str]:
        """The labels that may be planted, where those of a case are `labels`."""
        several = {DRAWN: labels, CROSSED: VERDICTS}
        return [*several.get(self.verdict, [self.verdict])]

    def label(self, seed: int, labels: Sequence[str]) -> str:
        """The label planted in the debate with this seed, by which it is drawn if it is."""
        return labels[draw(seed, PLANTED) % len(labels)] if self.verdict == DRAWN else self.verdict

    def script(self, label: str) -> str | None:
        """What a confederate explains the label with; None where its model does."""
        return self.text[label] if isinstance(self.text, dict) else self.text


def planted_by(variant: str) -> Planted | None:
    """What the parameters of a protocol, as JSON, plant."""
    params = json.loads(variant)
    return Planted.model_validate(params[PLANTED]) if PLANTED in params else None


def confederates(entry: ProtocolEntry) -> tuple[int, ...]:
    """The seats of the panel, by number, that are confederates in a protocol."""
    return Planted.model_validate(entry.params[PLANTED]).seats if PLANTED in entry.params else ()


def each_planted(entry: ProtocolEntry) -> list[ProtocolEntry]:
    """The protocol with what it plants written out, once for every verdict where they are crossed."""
    if PLANTED not in entry.params:
        return [entry]
    planted = Planted.model_validate(entry.params[PLANTED])
    told = planted.model_dump(mode="json", exclude_none=True)
    verdicts = VERDICTS if planted.verdict == CROSSED else (planted.verdict,)
    return [
        ProtocolEntry.model_validate({entry.name: {**entry.params, PLANTED: {**told, "verdict": verdict}}})
        for verdict in verdicts
    ]
