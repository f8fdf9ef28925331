"""The ways in which published sets state a question, its options, and which of them is right.

`moral_kinds` has those of moral cases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from protocols.answer_format import LETTERS
from ray_jobs import case_values as values
from ray_jobs.case_values import Value

Cells: TypeAlias = Callable[[str], Value]
HEAD = re.compile(r"^[ \t]*answer choices:[ \t]*$", re.IGNORECASE | re.MULTILINE)
ITEM = re.compile(r"[ \t]*([A-Z])[.)](?:[ \t]+(.*))?", re.DOTALL)


class Unusable(Exception):
    """A row that cannot be put before a panel; `reason` is for counting."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its options in the order of the set; `truth` is the text of the right one, where that
    is told. A moral case has no options, and its truth is the verdict that people gave.
    """

    text: str
    options: list[str] | None
    truth: str | None


class RightAndWrong(BaseModel):
    """The right answer in one column, each wrong one in another."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["right_and_wrong"]
    right: str
    wrong: tuple[str, ...]

    def read(self, text: str, cell: Cells) -> Question:
        """The question; the right option comes first. Raises `Unusable`."""
        return _question(text, [words(cell(column)) for column in (self.right, *self.wrong)], "A")


class Listed(BaseModel):
    """The options as a list in one column, the letter of the right one in another.

    `same_text` and `same_number` (from 0) are columns that say once more which one is right.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["listed"]
    options: str
    letter: str
    same_text: str | None = None
    same_number: str | None = None

    def read(self, text: str, cell: Cells) -> Question:
        """The question. Raises `Unusable`, also where the columns name different options as the right one."""
        options = [words(option) for option in values.elements(cell(self.options)) or ()]
        question = _question(text, options, words(cell(self.letter)))
        right = {self.same_text: question.truth, self.same_number: str(options.index(str(question.truth)))}
        if any(words(cell(column)) != said for column, said in right.items() if column is not None):
            raise Unusable("with two accounts of the right answer that differ")
        return question


class InText(BaseModel):
    """The options within the text, "A. ..." each on a line under "Answer Choices:", and the right letter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["in_text"]
    letter: str

    def read(self, text: str, cell: Cells) -> Question:
        """The question, its text without the options. Raises `Unusable`, also where no options are found."""
        heads = list(HEAD.finditer(text))
        if not heads:
            raise Unusable("without a list of answer choices")
        options = _items(text[heads[-1].end() :].strip("\n").split("\n"))
        return _question(text[: heads[-1].start()].strip(), options, words(cell(self.letter)))


def words(value: Value) -> str:
    """The text of a cell without blanks at its ends; "" where there is none."""
    return (values.optional_text(value) or "").strip()


def _items(lines: Sequence[str]) -> list[str]:
    """The texts of the items A, B, C, ...; other lines belong to the item before them."""
    items: list[list[str]] = []
    for line in lines:
        item = ITEM.fullmatch(line)
        if item and len(items) < len(LETTERS) and item[1] == LETTERS[len(items)]:
            items.append([item[2] or ""])
        elif items:
            items[-1].append(line)
        elif line.strip():
            raise Unusable("without a list of answer choices")
    return ["\n".join(item).strip() for item in items]


def checked(text: str, options: list[str]) -> list[str]:
    """The options. Raises `Unusable` where they, or the text, cannot be put before a panel."""
    if not text:
        raise Unusable("without a text")
    if not 2 <= len(options) <= len(LETTERS):
        raise Unusable(f"with fewer than 2 or more than {len(LETTERS)} options")
    if not all(options):
        raise Unusable("with a blank option")
    if len(set(options)) < len(options):
        raise Unusable("with two options alike")
    return options


def _question(text: str, options: list[str], letter: str) -> Question:
    checked(text, options)
    letters = LETTERS[: len(options)]
    if letter not in letters:
        raise Unusable("whose right answer is no letter of an option")
    return Question(text, options, options[letters.index(letter)])
