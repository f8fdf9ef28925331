"""Merged sums, taken apart by condition, to be estimated from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from analysis.tally import CONDITION, chosen
from analysis.values.codes import coded
from analysis.values.labels import Labels
from analysis.values.said import SEPARATOR
from analysis.values.sets import Bools, Ints
from analysis.values.sums import NAMED

Row = dict[str, str]


COLUMNS = ("case_id", "one", "other", "item", "value", "count")
"""The columns that rows are told by, but for the design."""


class Rows(NamedTuple):
    """Sums as `COLUMNS` of numbers, see `sums.SUMS`."""

    case_id: Ints
    one: Ints
    other: Ints
    item: Ints
    value: Ints
    sums: Ints

    def where(self, chosen: Bools) -> Rows:
        """Some of the rows."""
        return Rows(*(column[chosen] for column in self))


def together(parts: Iterable[Rows]) -> Rows:
    """All rows of some, of which there is at least one."""
    return Rows(*map(np.concatenate, zip(*parts, strict=True)))


@dataclass(frozen=True, slots=True)
class Group:
    """What is estimated together: its columns of the condition, and the designs that it pools."""

    keys: Row
    designs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """Sums of one taxonomy of some values, sorted, by columns of numbers; `names` are what these stand for.

    `labellings` are those of the `Labels`, in their order: name, how the judge is called, and pass; `judges`
    are who these are, so that one judge with labels under several names is one.
    """

    values: tuple[str, ...]
    labellings: tuple[tuple[str, str, int], ...]
    judges: tuple[str, ...]
    names: dict[str, list[str]]
    columns: dict[str, Ints]

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return len(self.names["case_id"])

    def groups(self, by: Sequence[str]) -> Iterator[Group]:
        """The conditions that differ in the columns `by`, the stage always among them."""
        by = chosen(by)
        designs = [dict(zip(CONDITION, name.split(SEPARATOR), strict=False)) for name in self.names["design"]]
        found: dict[tuple[str, ...], list[int]] = {}
        for number, design in enumerate(designs):
            if len(design) == len(CONDITION):
                found.setdefault(tuple(design[name] for name in by), []).append(number)
        for key in sorted(found):
            yield Group(dict(zip(by, key, strict=True)), tuple(found[key]))

    def total(self, what: str, labelling: str) -> int:
        """The sum of all of one kind, of one labelling."""
        return int(self.columns["count"][slice(*self._span(what, labelling))].sum())

    def rows(self, what: str, labelling: str, designs: Sequence[int]) -> Rows:
        """The sums of one kind, of one labelling, in these designs."""
        start, stop = self._span(what, labelling)
        spans = [slice(*self._within("design", design, start, stop)) for design in designs]
        return Rows(*(np.concatenate([self.columns[name][span] for span in spans]) for name in COLUMNS))

    def _span(self, what: str, labelling: str) -> tuple[int, int]:
        start, stop = 0, len(self.columns["count"])
        for column, name in (("what", what), ("labelling", labelling)):
            number = self.names[column].index(name) if name in self.names[column] else -1
            start, stop = self._within(column, number, start, stop)
        return start, stop

    def _within(self, column: str, number: int, start: int, stop: int) -> tuple[int, int]:
        low, high = np.searchsorted(self.columns[column][start:stop], [number, number + 1])
        return start + int(low), start + int(high)


def counted(sums: pa.Table, labels: Labels) -> Counted:
    """Merged sums with these labels, as `sums.merge` gives them, taken apart."""
    numbered = {name: coded(sums[name]) for name in NAMED}
    columns = {name: numbers for name, (numbers, _) in numbered.items()}
    columns |= {name: sums[name].to_numpy() for name in ("value", "count")}
    names = {name: found for name, (_, found) in numbered.items()}
    of_debates = np.array([name != "" for name in names["design"]], np.bool_)[columns["design"]]
    cases, place = np.unique(columns["case_id"][of_debates], return_inverse=True)
    columns["case_id"] = np.zeros(len(of_debates), np.int64)
    columns["case_id"][of_debates] = place
    names["case_id"] = [names["case_id"][case] for case in cases]
    labellings = tuple((one.name, one.called, one.number) for one in labels.labellings)
    judges = tuple(one.judge for one in labels.labellings)
    return Counted(labels.taxonomy.values, labellings, judges, names, columns)


def dense(rows: Rows, cell: Ints, cells: int, cases: int, values: int = 0) -> Ints:
    """The counts by case and cell, or, where there are `values`, by case and cell and value.

    Shape: cases by cells, or by cells times values, those of a cell together. `cell` is that of each row;
    rows of a cell below 0 are left out.
    """
    width = max(values, 1)
    place = cell * width + (rows.value if values else 0)
    flat = np.zeros(cases * cells * width, np.int64)
    inside = cell >= 0
    at = rows.case_id * (cells * width) + place
    np.add.at(flat, at[inside], rows.sums[inside])
    return flat.reshape(cases, cells * width)


def totals(rows: Rows, cell: Ints, cells: int) -> Ints:
    """The counts by cell."""
    inside = cell >= 0
    sums = np.zeros(cells, np.int64)
    np.add.at(sums, cell[inside], rows.sums[inside])
    return sums
