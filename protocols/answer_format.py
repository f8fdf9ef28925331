"""Answer formats: what a seat is asked to write, and how its turn is shown afterwards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from protocols.values.value import MOST_VALUES

Field = Literal["verdict", "answer", "values", "winner", "argument"]
FormatName = Literal["text", "json"]
PartName = Literal["reasoning", "crux", "concession", "confidence", "action", "argument"]

VERDICTS = ("NTA", "YTA", "ESH", "NAH", "INFO")
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
PHRASES: dict[Field, str] = {"verdict": "My current verdict", "answer": "Answer", "winner": "Winner"}
CHOICES: dict[PartName, tuple[str, ...]] = {
    "confidence": ("low", "medium", "high"),
    "action": ("retain", "adopt"),
}
NO_PARTS: Mapping[PartName, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The form of one answer: its name, the field it fills, and the labels that field may take.

    `field` is "verdict" for moral cases, where `labels` are the five verdicts, and "answer" for
    questions, where `labels` are the letters of the options and `option_texts` their wording. It is
    "values" for labellers, whose answer is a list of at most `MOST_VALUES` labels, as JSON. It is
    "winner" for judges of a debate, where `labels` are the numbers of the agents, and neither.
    It is "argument" where no label is asked for; `labels` are those of the question argued about.

    `parts` are named before the label, in their order; the part "argument", which stands behind it, takes
    the place of the explanation.
    """

    name: FormatName = "text"
    field: Field = "verdict"
    labels: tuple[str, ...] = VERDICTS
    option_texts: tuple[str, ...] | None = None
    parts: tuple[PartName, ...] = ()

    @property
    def schema(self) -> dict[str, object] | None:
        """The JSON schema that a server may enforce; None for `text`, which has no schema."""
        if self.name == "text":
            return None
        label: dict[str, object] = {"type": "string", "enum": list(self.labels)}
        if self.field == "values":
            label = {"type": "array", "items": label, "maxItems": MOST_VALUES}
        properties: dict[str, object] = {part: _part_schema(part) for part in self._before}
        if self.field != "argument":
            properties[self.field] = label
        if self.field != "values":
            properties[self._prose] = {"type": "string"}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def write(self, label: str, explanation: str, parts: Mapping[PartName, str] = NO_PARTS) -> str:
        """The text of a reply that keeps to this format.

        `explanation` is the argument where the format asks for one. Of `parts`, those that the format
        names are written; one that is not given is left out. An argument alone has no label.
        """
        before = {part: parts[part] for part in self._before if part in parts}
        labelled = {} if self.field == "argument" else {self.field: label}
        if self.name == "json":
            return json.dumps({**before, **labelled, self._prose: explanation}, ensure_ascii=False)
        lines = [f"{part.capitalize()}: {text}" for part, text in before.items()]
        if self._prose == "explanation":
            return "\n".join([*lines, render(self.field, label, explanation)])
        lines += [f"{PHRASES[self.field]}: {label}" for label in labelled.values()]
        return "\n".join([*lines, f"Argument: {explanation}".rstrip()])

    def write_values(self, values: Sequence[str]) -> str:
        """The text of a labeller's reply that keeps to this format."""
        return json.dumps({self.field: list(values)}, ensure_ascii=False)

    @property
    def _before(self) -> list[PartName]:
        return [part for part in self.parts if part != "argument"]

    @property
    def _prose(self) -> str:
        return "argument" if "argument" in (self.field, *self.parts) else "explanation"


def render(field: Field, label: str, explanation: str) -> str:
    """A labelled line, then prose: how a turn is shown to every seat, whatever format it was given in."""
    return f"{PHRASES[field]}: {label}\n\n{explanation}".rstrip()


def _part_schema(part: PartName) -> dict[str, object]:
    choices = CHOICES.get(part)
    return {"type": "string", "enum": list(choices)} if choices else {"type": "string"}
