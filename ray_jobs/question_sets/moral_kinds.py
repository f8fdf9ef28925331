"""The ways in which published sets state moral cases: stories, and actions to choose from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from ray_jobs import case_values as values
from ray_jobs.case_values import Value
from ray_jobs.contestation import entropy
from ray_jobs.question_sets.kinds import Cells, Question, Unusable, checked, words

GONE = ("[removed]", "[deleted]")
"""What stands for a text that was taken away."""


class Verdict(BaseModel):
    """The verdict of people in a `column`, and what each of its `words`, in any case, means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    column: str
    words: Mapping[str, Literal["NTA", "YTA", "ESH", "NAH", "INFO"]]

    def read(self, cell: Cells) -> str | None:
        """One of the five verdicts; None where there is none. Raises `Unusable` for another word."""
        said = words(cell(self.column)).casefold()
        if not said:
            return None
        meant = {word.casefold(): verdict for word, verdict in self.words.items()}
        if said not in meant:
            raise Unusable(f"whose {self.column} is no verdict")
        return meant[said]


class Story(BaseModel):
    """A story to be judged, and the verdict of people, where the set has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["story"]
    verdict: Verdict | None = None

    def read(self, text: str, cell: Cells) -> Question:
        """The case. Raises `Unusable` where there is no story."""
        if not text:
            raise Unusable("without a text")
        if text.casefold() in GONE:
            raise Unusable("whose text was removed")
        return Question(text, None, self.verdict.read(cell) if self.verdict else None)


class Actions(BaseModel):
    """Actions or sentences to choose from: each in a column, listed in one (under the key `key`, where its
    elements are objects), or the same for every row. `number` (from 0) is a column that tells the one that
    the set calls right; without it none is.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["actions"]
    columns: tuple[str, ...] = ()
    listed: str | None = None
    key: str | None = None
    same: tuple[str, ...] = ()
    number: str | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Actions:
        if sum(map(bool, (self.columns, self.listed, self.same))) != 1:
            raise ValueError("expected one of columns, listed and same")
        return self

    def read(self, text: str, cell: Cells) -> Question:
        """The question; the options are in the order of the set. Raises `Unusable`."""
        options = checked(text, self._options(cell))
        if self.number is None:
            return Question(text, options, None)
        number = words(cell(self.number))
        if number not in map(str, range(len(options))):
            raise Unusable("whose right answer is no number of an option")
        return Question(text, options, options[int(number)])

    def _options(self, cell: Cells) -> list[str]:
        if self.listed is None:
            return list(self.same) or [words(cell(column)) for column in self.columns]
        elements = values.elements(cell(self.listed)) or []
        return [words(self._within(element)) for element in elements]

    def _within(self, element: Value) -> Value:
        if self.key is None:
            return element
        found = element.found.get(self.key) if isinstance(element.found, dict) else None
        return Value(element.place, f"{element.column}.{self.key}", found)


class Shares(BaseModel):
    """How many people gave which verdict, as counts or shares: in `columns`, as an object in a column whose
    keys are these, or as a list in one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    columns: tuple[str, ...] = ()
    keyed: str | None = None
    keys: tuple[str, ...] = ()
    listed: str | None = None

    def entropy(self, cell: Cells) -> float | None:
        """The entropy of the shares in bits; None where nobody gave a verdict.

        Raises `Unusable` for shares that are no numbers from 0.
        """
        given = np.array([[_number(value) for value in self._values(cell)]])
        return float(entropy(given)[0]) if given.any() else None

    def _values(self, cell: Cells) -> list[Value]:
        if self.listed is not None:
            return values.elements(cell(self.listed)) or []
        if self.keyed is None:
            return [cell(column) for column in self.columns]
        value = cell(self.keyed)
        given = _object(value)
        return [Value(value.place, f"{value.column}.{key}", given.get(key)) for key in self.keys]


def _object(value: Value) -> dict[str, object]:
    """The object in a cell, in CSV as JSON; an empty one where there is nothing."""
    found = value.found
    if isinstance(found, str):
        try:
            found = json.loads(found or "null")
        except (ValueError, RecursionError):
            raise Unusable("whose shares of people cannot be read") from None
    if found is not None and not isinstance(found, dict):
        raise Unusable("whose shares of people cannot be read")
    return found or {}


def _number(value: Value) -> float:
    number = values.optional_number(value) or 0.0
    if number < 0:
        raise Unusable("with a negative share of people")
    return number
