"""Lists of values as CSV: a row for each, with the columns value, definition and group."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from protocols.values.value import NONE, Value, normal

COLUMNS = ("value", "definition", "group")
REQUIRED = COLUMNS[:2]


class TaxonomyError(ValueError):
    """A list of values that cannot be labelled by; the message names the file, the line and the column."""


def read_taxonomy(text: str, file: str) -> tuple[Value, ...]:
    """The values of a CSV text, in its order; the column group may be missing, others are passed over.

    A row that comes again word for word counts once. `file` is how messages call it. Raises `TaxonomyError`
    for a text that is no such table, an empty name or definition, the name "none", and names that differ in
    case, spacing or punctuation alone, or stand with another definition or group.
    """
    values: list[Value] = []
    lines: dict[str, int] = {}
    for line, row in _rows(text, file):
        value = _value(f"{file}:{line}", row)
        first = lines.setdefault(normal(value.name), line)
        if value in values:
            continue
        if first != line:
            raise TaxonomyError(
                f"{file}:{line}: value: found '{value.name}', which stands on line {first} already; expected"
                " one spelling, definition and group of every value"
            )
        values.append(value)
    if not values:
        raise TaxonomyError(f"{file}: found no value; expected a row for each below the names of columns")
    return tuple(values)


def write_taxonomy(values: Iterable[Value]) -> str:
    """The values as a CSV text that `read_taxonomy` reads."""
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows((value.name, value.definition, value.group) for value in values)
    return out.getvalue()


def _rows(text: str, file: str) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each row by column, and the line on which it begins."""
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if header is None:
                header = _header(f"{file}:{line}", cells)
            elif len(cells) not in (0, len(header)):
                raise TaxonomyError(
                    f"{file}:{line}: found {len(cells)} fields; expected {len(header)}, one for each of"
                    f' {", ".join(header)}; what holds a comma stands in "quotes"'
                )
            elif cells:
                yield line, dict(zip(header, cells, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise TaxonomyError(
            f"{file}:{line}: found a row that is no valid CSV ({error}); expected fields that hold commas or"
            ' quotes in "quotes", quotes in them doubled'
        ) from None


def _header(place: str, cells: list[str]) -> list[str]:
    header = [cell.strip().casefold() for cell in cells]
    if any(header.count(column) != 1 for column in REQUIRED) or header.count("group") > 1:
        found = ", ".join(cells) or "nothing"
        raise TaxonomyError(
            f"{place}: found {found}; expected the columns {', '.join(COLUMNS)}, group if need be"
        )
    return header


def _value(place: str, row: Mapping[str, str]) -> Value:
    name, definition, group = (" ".join(row.get(column, "").split()) for column in COLUMNS)
    for column, text in (("value", normal(name)), ("definition", definition)):
        if not text:
            raise TaxonomyError(f"{place}: {column}: found nothing; expected a {column} in words")
    if normal(name) == NONE:
        raise TaxonomyError(
            f"{place}: value: found '{name}', which stands for no value at all; expected another name"
        )
    return Value(name, definition, group)
