"""How people are divided over a case: shares of their verdicts, and the entropy of these."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = Floats | NDArray[np.int64]


def shares(counts: Counts) -> Floats:
    """Each row over its sum, NaN where that is zero. Shape (posts, verdicts)."""
    with np.errstate(invalid="ignore"):
        found: Floats = counts / counts.sum(axis=1, keepdims=True)
    return found


def entropy(counts: Counts) -> Floats:
    """Shannon entropy of each row's shares in bits, 0 to log2 of the columns; NaN where there is no verdict.

    Rows that are permutations of each other have the same value to the last bit, so that ties are ties.
    """
    ordered = np.sort(shares(counts), axis=1)
    logs = np.log2(ordered, out=np.zeros_like(ordered), where=ordered > 0)
    found = -(ordered * logs).sum(axis=1)
    return np.where(np.isnan(ordered).any(axis=1), np.nan, np.abs(found))
