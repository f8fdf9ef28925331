"""Published sets of questions and moral cases: how the rows of each are read, as data beside this file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Annotated, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field

from ray_jobs import case_values as values
from ray_jobs.case_files import FileRow
from ray_jobs.question_sets.kinds import Cells, InText, Listed, Question, RightAndWrong, Unusable, words
from ray_jobs.question_sets.moral_kinds import Actions, Shares, Story

Kind: TypeAlias = Annotated[RightAndWrong | Listed | InText | Story | Actions, Field(discriminator="kind")]
ENDING = ".yaml"
COLUMN = re.compile(r"\{(\w+)\}")


class LeftOut(BaseModel):
    """Rows that are no question to choose an answer to: those whose `column` holds anything but `unless`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    column: str
    unless: str
    reason: str


class QuestionSet(BaseModel):
    """The rows of a set called `name`: which columns hold what, and of which kind its questions are.

    `subjects` are columns, from the widest to the narrowest. Without an `id` rows go by their number. The
    text is that of the column `text`, or `wording`, in which columns stand in braces. `shares` of people are
    what contestation is the entropy of. Rows that follow each other with one id are one question where there
    are columns to `gather`: of these it has a list, of the others what stands in the first row.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    id: str | None = None
    title: str | None = None
    text: str = ""
    wording: str | None = None
    subjects: tuple[str, ...] = ()
    leave_out: tuple[LeftOut, ...] = ()
    gather: tuple[str, ...] = ()
    shares: Shares | None = None
    question: Kind

    @property
    def rows_are(self) -> str:
        """What one question stands in."""
        return f"groups of rows with one {self.id}" if self.gather else "rows"

    def gathered(self, rows: Iterable[FileRow]) -> Iterator[FileRow]:
        """The rows, those that are one question together."""
        if not self.gather:
            yield from rows
            return
        for _, group in groupby(rows, key=lambda row: row.values.get(str(self.id))):
            first, *others = group
            lists = {
                column: [row.values.get(column) for row in (first, *others)]
                for column in self.gather
                if column in first.values
            }
            yield FileRow(first.place, {**first.values, **lists})

    def read(self, cell: Cells) -> Question:
        """The question in a row, whose columns `cell` gives. Raises `Unusable` where there is none."""
        for each in self.leave_out:
            if words(cell(each.column)) != each.unless:
                raise Unusable(each.reason)
        return self.question.read(self._text(cell), cell)

    def identifier(self, cell: Cells, number: int) -> str:
        """The id that the set gives a row, the `number`th (from 1)."""
        return f"row-{number}" if self.id is None else values.identifier(cell(self.id))

    def told_title(self, cell: Cells) -> str:
        """The title of a row; "" where the set has none."""
        return "" if self.title is None else words(cell(self.title))

    def contestation(self, cell: Cells) -> float | None:
        """The entropy of what people said of a row, in bits; None where that is not known."""
        return None if self.shares is None else self.shares.entropy(cell)

    def source(self, cell: Cells) -> str:
        """The set and the subject of a row, e.g. "GPQA / Physics / Optics"."""
        subjects = (words(cell(column)) for column in self.subjects)
        return " / ".join([self.name, *filter(None, subjects)])

    def _text(self, cell: Cells) -> str:
        """The text of a row; "" where any column that it needs is empty."""
        needed = [self.text] if self.wording is None else COLUMN.findall(self.wording)
        filled = {column: words(cell(column)) for column in needed}
        if not all(filled.values()):
            return ""
        if self.wording is None:
            return filled[self.text]
        return COLUMN.sub(lambda column: filled[column[1]], self.wording).strip()


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
