"""Which option of each question is right, as a simulated model has it from its own file."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from protocols.answer_format import LETTERS
from serving.jsonl import objects

Probability: TypeAlias = Annotated[float, Field(strict=True, ge=0.0, le=1.0)]
Rows: TypeAlias = Iterator[tuple[str, dict[str, object]]]


class Known(BaseModel):
    """What is known of one question: the text of the right option `truth`; `right` is the probability of
    giving it alone, where the question has one of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    truth: Annotated[str, Field(strict=True, min_length=1)]
    right: Probability | None = None


def read_known(file: Path) -> dict[str, Known]:
    """What a CSV or JSONL file says of each question, by case id: columns `id`, `truth`, and maybe `right`.

    Other columns may be there, as in a file of questions. `truth` is the text of the right option, or its
    letter where the column `options` lists them; rows without one are passed over. Raises `ValueError`,
    naming the line, for anything else.
    """
    if file.suffix.lower() not in READERS:
        raise ValueError(f"cannot read '{file}'; expected a file of questions that ends with .csv or .jsonl")
    known: dict[str, Known] = {}
    try:
        for place, row in READERS[file.suffix.lower()](file):
            case, truth = _case_id(place, row), _truth(place, row)
            if case in known:
                raise ValueError(f"{place}: a second row for the question '{case}'; expected one")
            if truth is not None:
                known[case] = Known(truth=truth, right=_right(place, row))
    except OSError as error:
        raise ValueError(f"cannot read the questions in '{file}': {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read the questions in '{file}': expected text in UTF-8") from None
    if not known:
        raise ValueError(f"'{file}' has no row with a right option in the column 'truth'; expected some")
    return known


def _csv(file: Path) -> Rows:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream, strict=True)
        try:
            for row in reader:
                place = f"{file}, line {reader.line_num}"
                if None in row or None in row.values():
                    raise ValueError(
                        f"{place}: expected {len(reader.fieldnames or ())} fields, as in the header"
                    )
                yield place, dict(row)
        except csv.Error as error:
            raise ValueError(f"{file}, line {reader.reader.line_num}: no valid CSV: {error}") from None


def _jsonl(file: Path) -> Rows:
    return objects(file, "questions")


READERS = {".jsonl": _jsonl, ".csv": _csv}


def _case_id(place: str, row: dict[str, object]) -> str:
    found = row.get("id")
    if isinstance(found, int | str) and not isinstance(found, bool) and str(found):
        return str(found)
    raise ValueError(f"{place}: id: found {found!r}; expected the id of the question")


def _truth(place: str, row: dict[str, object]) -> str | None:
    found = row.get("truth")
    if found is None or found == "":
        return None
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise ValueError(f"{place}: truth: found {found!r}; expected the text of the right option")
    truth, options = str(found), _options(place, row.get("options"))
    if truth in options or not options:
        return truth
    if truth in LETTERS[: len(options)]:
        return str(options[LETTERS.index(truth)])
    raise ValueError(f"{place}: truth: found '{truth[:60]}'; expected one of the {len(options)} options")


def _options(place: str, found: object) -> list[object]:
    """The options of a row, in CSV as JSON; none where it does not list them."""
    try:
        options = json.loads(found) if isinstance(found, str) and found else found or []
    except (ValueError, RecursionError):
        options = None
    if not isinstance(options, list):
        raise ValueError(f"{place}: options: found {str(found)[:60]!r}; expected a list, in CSV as JSON")
    return options


def _right(place: str, row: dict[str, object]) -> float | None:
    found = row.get("right")
    if found is None or found == "":
        return None
    try:
        right = float(str(found))
    except ValueError:
        right = math.nan
    if not 0 <= right <= 1:
        raise ValueError(f"{place}: right: found {found!r}; expected a probability, 0 to 1, or nothing")
    return right
