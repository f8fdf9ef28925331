"""Sheets on which people label explanations: CSV, blind to verdict, model, seat and debate."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from uuid import uuid4

from analysis.by_hand.explanation import Explanation
from protocols.spreadsheets import decoded, guarded, rows, unguarded
from protocols.values import MOST_VALUES, NONE

CELLS = [f"value_{number}" for number in range(1, MOST_VALUES + 1)]
HEADER = ["id", "explanation", *CELLS]
"""An explanation that a spreadsheet would take for a formula stands there with an apostrophe before it."""

ENCODING = "utf-8-sig"


def listed_beside(file: Path) -> Path:
    """The file with the list of values that a sheet is to be labelled by."""
    return file.with_suffix(".values.csv")


def csv_text(chosen: Iterable[Explanation]) -> str:
    """A sheet of these explanations, not labelled yet."""
    return _csv(HEADER, ([each.id, guarded(each.text), *[""] * MOST_VALUES] for each in chosen))


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as it stands in a file: its `columns` in small letters, and of each row the cells by column."""

    columns: Sequence[str]
    rows: Sequence[Mapping[str, str]]

    @classmethod
    def of(cls, file: Path) -> Sheet:
        """Raises `TableError` for what is no sheet, `OSError` for a file that cannot be read."""
        found = [row for _, row in rows(decoded(file.read_bytes(), str(file)), str(file), HEADER)]
        return cls(list(found[0]) if found else HEADER, found)

    def text(self, place: int) -> str:
        """The explanation in a row, from 0."""
        return unguarded(self.rows[place]["explanation"])

    def given(self, place: int) -> list[str]:
        """What stands in the cells for values of a row, from 0: values, the word none, or nothing."""
        return [cell for column in CELLS if (cell := self.rows[place][column].strip())]

    def labelled(self, place: int, values: Sequence[str] | None) -> Sheet:
        """The sheet with these values in a row, at most five: of no values the word none, of None nothing."""
        given = [] if values is None else list(values) or [NONE]
        cells = [*given, *[""] * (MOST_VALUES - len(given))]
        changed = {**self.rows[place], **dict(zip(CELLS, cells, strict=True))}
        return replace(self, rows=[*self.rows[:place], changed, *self.rows[place + 1 :]])

    @property
    def open(self) -> list[int]:
        """The rows that are not labelled yet, from 0."""
        return [place for place in range(len(self.rows)) if not self.given(place)]

    def write(self, file: Path) -> None:
        """Puts the sheet in place of the file: whoever reads finds the old one or the new, never a part."""
        replace_text(file, _csv(self.columns, ([row[name] for name in self.columns] for row in self.rows)))


def replace_text(file: Path, text: str) -> None:
    """Writes a file as spreadsheets read it, whole and on the disk before it has its name."""
    beside = file.with_name(f".{file.name}-{uuid4().hex}")
    try:
        with beside.open("x", encoding=ENCODING, newline="") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _csv(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows(lines)
    return out.getvalue()
