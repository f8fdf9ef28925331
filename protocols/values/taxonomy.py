"""Lists of values as CSV: a row for each, with the columns value, definition and group."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from io import StringIO

from protocols.spreadsheets import TableError, control_character, rows
from protocols.values.value import LONGEST_NAME, NONE, Value, normal

COLUMNS = ("value", "definition", "group")
REQUIRED = COLUMNS[:2]


class TaxonomyError(TableError):
    """A list of values that cannot be labelled by; the message names the file, the line and the column."""


def read_taxonomy(text: str, file: str) -> tuple[Value, ...]:
    """The values of a CSV text, in its order; the column group may be missing, others are passed over.

    A row that comes again word for word counts once. `file` is how messages call it. Raises `TaxonomyError`
    for an empty name or definition, control characters, a name of more than `LONGEST_NAME` characters, the
    name "none", and names that are spelt alike (`normal`) or stand with another definition or
    group, and for a text that is no such table.
    """
    try:
        return _distinct(text, file)
    except TableError as error:
        raise TaxonomyError(str(error)) from None


def _distinct(text: str, file: str) -> tuple[Value, ...]:
    values: dict[str, Value] = {}
    lines: dict[str, int] = {}
    for line, row in rows(text, file, REQUIRED):
        value = _value(f"{file}:{line}", row)
        key = normal(value.name)
        first = lines.setdefault(key, line)
        if values.setdefault(key, value) != value:
            raise TaxonomyError(
                f"{file}:{line}: value: found '{value.name}', which stands on line {first} already; expected"
                " one spelling, definition and group of every value"
            )
    if not values:
        raise TaxonomyError(f"{file}: found no value; expected a row for each below the names of columns")
    return tuple(values.values())


def write_taxonomy(values: Iterable[Value]) -> str:
    """The values as a CSV text that `read_taxonomy` reads."""
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((value.name, value.definition, value.group) for value in values)
    return out.getvalue()


def _value(place: str, row: Mapping[str, str]) -> Value:
    written = {column: row.get(column, "") for column in COLUMNS}
    for column, cell in written.items():
        if character := control_character(cell):
            raise TaxonomyError(
                f"{place}: {column}: found the control character U+{ord(character):04X}; expected a {column}"
                " without any"
            )
    name, definition, group = (" ".join(cell.split()) for cell in written.values())
    if len(name) > LONGEST_NAME:
        raise TaxonomyError(
            f"{place}: value: found a name of {len(name):,} characters; expected at most {LONGEST_NAME}"
        )
    for column, text in (("value", normal(name)), ("definition", definition)):
        if not text:
            raise TaxonomyError(f"{place}: {column}: found nothing; expected a {column} in words")
    if normal(name) == NONE:
        raise TaxonomyError(
            f"{place}: value: found '{name}', which stands for no value at all; expected another name"
        )
    return Value(name, definition, group)
