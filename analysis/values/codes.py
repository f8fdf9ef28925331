"""Columns of strings as numbers: what is counted is arrays of whole numbers, and the names beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.values.sets import Ints

Keys = npt.NDArray[np.uint64]

_ROUND = np.uint64(0x9E3779B97F4A7C15)
_SEAT = np.uint64(0xBF58476D1CE4E5B9)


def coded(column: pa.ChunkedArray) -> tuple[Ints, list[str]]:
    """The number of each string and the strings, sorted; null comes as ""."""
    plain = column.cast(pa.string()) if not pa.types.is_dictionary(column.type) else column
    encoded = plain.combine_chunks().dictionary_encode() if plain is not column else unified(column)
    found = pc.fill_null(encoded.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    names = ["" if name is None else name for name in encoded.dictionary.to_pylist()]
    ordered = sorted({*names, ""}) if (found < 0).any() else sorted(set(names))
    place = {name: number for number, name in enumerate(ordered)}
    numbers = np.array([*(place[name] for name in names), place.get("", -1)], np.int64)
    return numbers[found], ordered


def unified(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """A column of dictionaries as one array with one dictionary."""
    whole = column.unify_dictionaries().combine_chunks()
    return whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole


def hashed(names: Sequence[str]) -> Keys:
    """A number of 64 bits for each name, the same in every process."""
    return np.asarray(pd.util.hash_array(np.array(names, object), categorize=False), np.uint64)


def turn_keys(debate: Keys, round: Ints, seat: Keys) -> Keys:
    """A number of 64 bits for each turn, from those of its debate and seat and from its round."""
    return np.asarray(debate + _ROUND * round.astype(np.uint64) + _SEAT * seat, np.uint64)


def combined(parts: Sequence[tuple[Ints, int]]) -> Ints:
    """One number for each row, from the numbers of several columns, each below its bound.

    Raises `OverflowError` where the bounds multiplied exceed 63 bits.
    """
    total = 1
    for _, bound in parts:
        total *= max(bound, 1)
    if total >= 2**63:
        raise OverflowError(f"{total} combinations of keys are more than can be counted; pool some columns")
    key = np.zeros(len(parts[0][0]), np.int64)
    for column, bound in parts:
        key = key * max(bound, 1) + column
    return key


def separated(key: Ints, bounds: Sequence[int]) -> list[Ints]:
    """What `combined` made one: the columns again."""
    columns: list[Ints] = []
    for bound in reversed(bounds):
        key, column = np.divmod(key, max(bound, 1))
        columns.insert(0, column)
    return columns
