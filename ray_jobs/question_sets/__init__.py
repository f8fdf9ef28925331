"""Published sets of questions: how the rows of each are read, as data beside this file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Annotated, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field

from ray_jobs import case_values as values
from ray_jobs.case_values import Value
from ray_jobs.question_sets.kinds import InText, Listed, Question, RightAndWrong, Unusable, words

Kind: TypeAlias = Annotated[RightAndWrong | Listed | InText, Field(discriminator="kind")]
ENDING = ".yaml"


class LeftOut(BaseModel):
    """Rows that are no question to choose an answer to: those whose `column` holds anything but `unless`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    column: str
    unless: str
    reason: str


class QuestionSet(BaseModel):
    """The rows of a set called `name`: which columns hold what, and of which kind its questions are.

    `subjects` are columns, from the widest to the narrowest.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    id: str
    text: str
    subjects: tuple[str, ...]
    leave_out: tuple[LeftOut, ...] = ()
    question: Kind

    def read(self, cell: Callable[[str], Value]) -> Question:
        """The question in a row, whose columns `cell` gives. Raises `Unusable` where there is none."""
        for each in self.leave_out:
            if words(cell(each.column)) != each.unless:
                raise Unusable(each.reason)
        return self.question.read(words(cell(self.text)), cell)

    def identifier(self, cell: Callable[[str], Value]) -> str:
        """The id that the set gives a row."""
        return values.identifier(cell(self.id))

    def source(self, cell: Callable[[str], Value]) -> str:
        """The set and the subject of a row, e.g. "GPQA / Physics / Optics"."""
        subjects = (words(cell(column)) for column in self.subjects)
        return " / ".join([self.name, *filter(None, subjects)])


@cache
def set_names() -> tuple[str, ...]:
    """The names of all sets, as `cases.format` has them."""
    names = (each.name for each in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(ENDING) for name in names if name.endswith(ENDING)))


@cache
def question_set(name: str) -> QuestionSet:
    """The set of that name, one of `set_names`."""
    text = files(__name__).joinpath(name + ENDING).read_text("utf-8")
    return QuestionSet.model_validate(yaml.safe_load(text))
