"""Sets of values as bits: so many words of 64 bits a set, so a taxonomy may be of any size."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Sets: TypeAlias = npt.NDArray[np.uint64]
"""Sets of values, shape (sets, words): value v is bit v % 64 of word v // 64."""

Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

WORD = 64
MOST = 5
"""Values that a label may name."""


def nothing(n_sets: int, n_values: int) -> Sets:
    """So many empty sets of a taxonomy of so many values."""
    return np.zeros((n_sets, -(-max(n_values, 1) // WORD)), np.uint64)


def pack(owner: Ints, value: Ints, n_sets: int, n_values: int) -> Sets:
    """Sets from pairs: `value[i]` is in set `owner[i]`. A pair may come twice."""
    sets = nothing(n_sets, n_values)
    bits = np.left_shift(np.uint64(1), (value % WORD).astype(np.uint64))
    np.bitwise_or.at(sets.reshape(-1), owner * sets.shape[1] + value // WORD, bits)
    return sets


def size(sets: Sets) -> Ints:
    """How many values each set has."""
    return np.asarray(np.bitwise_count(sets).sum(axis=1, dtype=np.int64), np.int64)


def listed(sets: Sets) -> tuple[Ints, Ints]:
    """The pairs (set, value) of all sets: those of a set together, its values ascending."""
    owners, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    left = sets.copy()
    for word in range(sets.shape[1]):
        while len(rows := np.flatnonzero(left[:, word])):
            rest = left[rows, word]
            lowest = rest & (~rest + np.uint64(1))
            owners.append(rows)
            values.append(np.bitwise_count(lowest - np.uint64(1)).astype(np.int64) + word * WORD)
            left[rows, word] = rest ^ lowest
    owner, value = np.concatenate(owners), np.concatenate(values)
    order = np.lexsort((value, owner))
    return owner[order], value[order]


def among(sets: Sets, values: list[int]) -> Sets:
    """Of each set, what is among these values."""
    pairs = np.array(values, np.int64)
    return sets & pack(np.zeros_like(pairs), pairs, 1, sets.shape[1] * WORD)
