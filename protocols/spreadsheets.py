"""CSV as spreadsheets write it, and cells that they are not to take for formulas."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO

DELIMITERS = ",;\t"

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_NAMED = re.compile(r'"?sep=(.)"?\r?(?:\n|\Z)', re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

csv.field_size_limit(sys.maxsize)  # of the whole process: what a model wrote may be longer than 131,072


class TableError(ValueError):
    """A text that is no table; the message names the file and the line."""


def decoded(raw: bytes, file: str) -> str:
    """The text of a file in UTF-8, or in UTF-16 with its mark. Raises `TableError` for any other."""
    encoding = "UTF-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "UTF-8"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"{file}:{line}: found the byte {raw[error.start]:#04x}, which is no {encoding};"
            " expected text in UTF-8; save the file in that encoding"
        ) from None


def rows(text: str, file: str, required: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each row by column, in small letters, and the line on which it begins; blank lines are passed over.

    Cells are parted by what parts the `required` columns: a comma, a semicolon or a tab, or what a first
    line `sep=` names. One empty cell more than there are columns is passed over. Raises `TableError` for an
    empty text, a heading without these columns or with one of them twice, rows of another length, and what
    is no CSV.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise TableError(f"{file}: found an empty file; expected the columns {', '.join(required)}")
    named = _NAMED.match(text)
    first = 2 if named else 1
    text = text[named.end() :] if named else text
    lines = _lines(text, file, first, named[1] if named else _delimiter(text, required))
    place, header = next(lines, (first, []))
    header = [cell.strip().casefold() for cell in header]
    twice = [name for name in header if name and header.count(name) > 1]
    if twice or any(column not in header for column in required):
        found = ", ".join(header) or "nothing"
        raise TableError(
            f"{file}:{place}: found {found}; expected the columns {', '.join(required)}, each once"
        )
    for line, cells in lines:
        if len(cells) == len(header) + 1 and not cells[-1]:
            cells.pop()
        if len(cells) != len(header):
            raise TableError(
                f"{file}:{line}: found {len(cells)} fields; expected {len(header)}, one for each of"
                f' {", ".join(header)}; what holds a comma stands in "quotes"'
            )
        yield line, dict(zip(header, cells, strict=True))


def control_character(cell: str) -> str | None:
    """The first character that no text holds, such as a NUL; line ends and tabs are none."""
    found = _CONTROL.search(cell)
    return found[0] if found else None


def guarded(cell: str) -> str:
    """The cell as a spreadsheet shows it: with an apostrophe before what it would take for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """The cell that `guarded` made this of."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _delimiter(text: str, required: Sequence[str]) -> str:
    """What parts the cells of the heading such that it holds these columns; a comma where nothing does."""
    heading = text.lstrip("\r\n").splitlines()[0]
    for delimiter in DELIMITERS:
        cells = [cell.strip(' "').casefold() for cell in heading.split(delimiter)]
        if all(column in cells for column in required):
            return delimiter
    return ","


def _lines(text: str, file: str, line: int, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is not blank; the text begins on this `line`."""
    reader = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    before = line - 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise TableError(
            f"{file}:{line}: found a row that is no valid CSV ({error}); expected fields that hold commas or"
            ' quotes in "quotes", quotes in them doubled'
        ) from None
