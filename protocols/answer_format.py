"""Answer formats: what a seat is asked to write, and how its turn is shown afterwards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.values.value import MOST_VALUES

Field = Literal["verdict", "answer", "values"]
FormatName = Literal["text", "json"]

VERDICTS = ("NTA", "YTA", "ESH", "NAH", "INFO")
PHRASES: dict[Field, str] = {"verdict": "My current verdict", "answer": "Answer"}


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """The form of one answer: its name, the field it fills, and the labels that field may take.

    `field` is "verdict" for moral cases, where `labels` are the five verdicts, and "answer" for
    questions, where `labels` are the letters of the options and `option_texts` their wording. It is
    "values" for labellers, whose answer is a list of at most `MOST_VALUES` labels, as JSON.
    """

    name: FormatName = "text"
    field: Field = "verdict"
    labels: tuple[str, ...] = VERDICTS
    option_texts: tuple[str, ...] | None = None

    @property
    def schema(self) -> dict[str, object] | None:
        """The JSON schema that a server may enforce; None for `text`, which has no schema."""
        if self.name == "text":
            return None
        label: dict[str, object] = {"type": "string", "enum": list(self.labels)}
        properties: dict[str, object] = {self.field: label, "explanation": {"type": "string"}}
        if self.field == "values":
            properties = {self.field: {"type": "array", "items": label, "maxItems": MOST_VALUES}}
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    def write(self, label: str, explanation: str) -> str:
        """The text of a reply that keeps to this format."""
        if self.name == "json":
            return json.dumps({self.field: label, "explanation": explanation}, ensure_ascii=False)
        return render(self.field, label, explanation)

    def write_values(self, values: Sequence[str]) -> str:
        """The text of a labeller's reply that keeps to this format."""
        return json.dumps({self.field: list(values)}, ensure_ascii=False)


def render(field: Field, label: str, explanation: str) -> str:
    """A labelled line, then prose: how a turn is shown to every seat, whatever format it was given in."""
    return f"{PHRASES[field]}: {label}\n\n{explanation}".rstrip()
