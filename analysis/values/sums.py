"""Sums: the one additive form in which the measures of values count.

A sum says how often something occurred with one labelling in debates of one design and one case. Sums of
two parts are put together by adding. They are whole numbers; similarities are counted in units of
1 / `GRAIN`. So a result depends neither on how debates were spread over parts nor on the order of rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from analysis.values.codes import coded, combined, separated
from analysis.values.sets import Ints

GRAIN = 2520 * 2**26
"""Units of a similarity of 1. Shares of up to ten values are whole numbers of them, halves of those too."""

NAMED = ("what", "labelling", "design", "case_id", "one", "other", "item")
"""Columns of names. `one` and `other` are models, `item` a verdict or what else the measure tells apart."""

NO_VALUE = -1
"""The `value` of what is not about one value."""

_NAME = pa.dictionary(pa.int32(), pa.string())

SUMS = pa.schema([*((name, _NAME) for name in NAMED), ("value", pa.int32()), ("count", pa.int64())])


@dataclass(slots=True)
class Adding:
    """The sums of some turns, while they are being counted.

    `names` has the names that numbers stand for: of the columns design, case_id, one and other.
    """

    names: Mapping[str, Sequence[str]]
    tables: list[pa.Table] = field(default_factory=list)

    def add(
        self,
        what: str,
        labelling: str,
        columns: Mapping[str, Ints],
        count: Ints | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Adds up the rows that are alike in `columns`: the count of each, or 1.

        `columns` are numbers, by the names of some columns of `NAMED`, and `value`; those of the column
        item stand for `items`.
        """
        names = {**self.names, "item": items}
        bounds = [len(names[name]) for name in columns if name != "value"]
        rows = [column for name, column in columns.items() if name != "value"]
        if "value" in columns:
            rows.append(columns["value"] + 1)
            bounds.append(int(rows[-1].max(initial=0)) + 1)
        keys, sums = added(combined(list(zip(rows, bounds, strict=True))), count)
        own = dict(zip(columns, separated(keys, bounds), strict=True))
        fixed = {"what": what, "labelling": labelling}
        named = [
            _named(own[name], names[name]) if name in own else _same(fixed.get(name, ""), len(keys))
            for name in NAMED
        ]
        value = own["value"] - 1 if "value" in own else np.full(len(keys), NO_VALUE)
        self.tables.append(pa.table([*named, value.astype(np.int32), sums], schema=SUMS))

    def sums(self) -> pa.Table:
        """What was added up, as one table of the schema `SUMS`."""
        return merge(self.tables)


def added(keys: Ints, count: Ints | None = None) -> tuple[Ints, Ints]:
    """The distinct keys, ascending, and the sum of the counts of each, or how often it occurs."""
    if count is None:
        distinct, times = np.unique(keys, return_counts=True)
        return distinct, times.astype(np.int64)
    if not len(keys):
        return keys, count
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[first], np.add.reduceat(count[order], first)


def merge(tables: Iterable[pa.Table]) -> pa.Table:
    """One table of sums of many, sorted by its keys."""
    together = pa.concat_tables([SUMS.empty_table(), *tables])
    columns = [coded(together[name]) for name in NAMED]
    value = together["value"].to_numpy().astype(np.int64) + 1
    bounds = [*(len(names) for _, names in columns), int(value.max(initial=0)) + 1]
    rows = [*(numbers for numbers, _ in columns), value]
    keys, sums = added(
        combined(list(zip(rows, bounds, strict=True))), together["count"].to_numpy().astype(np.int64)
    )
    *numbers, value = separated(keys, bounds)
    named = [_named(own, names) for own, (_, names) in zip(numbers, columns, strict=True)]
    return pa.table([*named, (value - 1).astype(np.int32), sums], schema=SUMS)


def _named(numbers: Ints, names: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(
        pa.array(numbers.astype(np.int32)), pa.array(list(names), pa.string())
    )


def _same(name: str, times: int) -> pa.DictionaryArray:
    return _named(np.zeros(times, np.int64), [name])
