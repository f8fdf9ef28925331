"""What stands in the rows of a sheet that somebody has labelled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from analysis.by_hand.sheet import CELLS, HEADER
from protocols.spreadsheets import decoded, rows, unguarded
from protocols.values import NONE, Value, normal

Labels = tuple[str, ...]

_LINE_END = re.compile("\r\n?")


@dataclass
class SheetRows:
    """The `labels` of explanations by their ids, at which `places` of the file they stand, and their `texts`.

    A row without any value is in none of these; the word none makes an empty tuple. `wrong` tells of rows
    that cannot be read, a line each.
    """

    labels: dict[str, Labels] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def sheet_rows(file: Path, values: Sequence[Value]) -> SheetRows:
    """The rows of a sheet, labelled by these values.

    Raises `TableError` for a file that is no CSV or has not the columns of a sheet, `OSError` for one that
    cannot be read.
    """
    names = {normal(value.name): value.name for value in values}
    sheet = SheetRows()
    for line, row in rows(decoded(file.read_bytes(), str(file)), str(file), HEADER):
        _take(sheet, f"{file}:{line}", row, names)
    return sheet


def same_text(one: str, other: str) -> bool:
    """Whether two texts differ at most in line ends and in white space around them."""
    return _text(one) == _text(other)


def _text(text: str) -> str:
    return _LINE_END.sub("\n", text).strip()


def _take(sheet: SheetRows, place: str, row: Mapping[str, str], names: Mapping[str, str]) -> None:
    given = {column: cell for column in CELLS if (cell := row[column].strip())}
    if not given:
        return
    id = row["id"].strip()
    if id in sheet.places:
        sheet.wrong.append(
            f"{place}: id: found '{id}', which has labels at {sheet.places[id]} too; allowed: in one row"
        )
    sheet.places[id] = place
    sheet.texts[id] = unguarded(row["explanation"])
    sheet.wrong += [f"{place}: {problem}" for problem in _problems(given, names)]
    keys = {normal(cell) for cell in given.values()}
    sheet.labels[id] = tuple(sorted(names[key] for key in keys if key in names))


def _problems(given: Mapping[str, str], names: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the cells of one row, by column."""
    columns: dict[str, str] = {}
    for column, cell in given.items():
        key = normal(cell)
        if key == NONE and len(given) > 1:
            yield f"{column}: found '{cell}' beside values; allowed: {NONE} alone, or values alone"
        elif key != NONE and key not in names:
            near = get_close_matches(key, names, n=1)
            meant = f" (did you mean '{names[near[0]]}'?)" if near else ""
            yield f"{column}: found '{cell}'; allowed: {NONE}, or one of the {len(names)} values{meant}"
        elif key in columns:
            yield f"{column}: found '{cell}', as in {columns[key]}; allowed: every value once"
        columns[key] = column
