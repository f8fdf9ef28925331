"""Taxonomies: the lists of values that turns are labelled with, by name and group."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

COLUMNS = ("value", "definition", "group")


class TaxonomyError(ValueError):
    """A text that is no taxonomy; the message names the file, the line and the column."""


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Values by name, each in a group of related ones; a value without a group is related to no other."""

    values: tuple[str, ...]
    groups: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)

    def related(self) -> list[list[int]]:
        """The places of the values of each group that has more than one."""
        places: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            places.setdefault(group, []).append(place)
        return [members for group, members in places.items() if group and len(members) > 1]


def parse(text: str, file: str) -> Taxonomy:
    """The taxonomy in the text of a CSV file with the columns value and, if there are groups, group.

    A value that comes twice counts once, as it came first. Raises `TaxonomyError`, in which `file` is
    how the file is called.
    """
    groups: dict[str, str] = {}
    for place, row in _rows(text, file):
        value, group = row["value"].strip(), row.get("group", "").strip()
        if not value:
            raise TaxonomyError(f"{place}: 'value' is empty; name the value, or delete the line")
        if groups.setdefault(value, group) != group:
            raise TaxonomyError(
                f"{place}: 'group' of {value!r} is {group!r}, but {groups[value]!r} further up;"
                " a value has one group: correct one of the lines"
            )
    if not groups:
        raise TaxonomyError(f"{file}: holds no value; expected a line for each below the heading")
    return Taxonomy(tuple(groups), tuple(groups.values()))


def _rows(text: str, file: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows that are not blank, by column, each with its place in words."""
    lines = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    heading: Sequence[str] = ()
    try:
        for cells in lines:
            place = f"{file}, line {lines.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if not heading:
                heading = _heading([cell.strip() for cell in cells], place)
            elif len(cells) != len(heading):
                raise TaxonomyError(
                    f"{place}: has {len(cells)} cells, expected {len(heading)} ({','.join(heading)});"
                    " put a text that holds commas in quotes"
                )
            else:
                yield place, dict(zip(heading, cells, strict=True))
    except csv.Error as error:
        raise TaxonomyError(f"{file}, line {lines.line_num}: no CSV ({error}); correct the quotes") from None


def _heading(columns: Sequence[str], place: str) -> Sequence[str]:
    if "value" not in columns or len(set(columns)) < len(columns):
        found = "no column 'value'" if "value" not in columns else "a column that comes twice"
        raise TaxonomyError(f"{place}: {found}; the heading must be {','.join(COLUMNS)}")
    return columns
