"""The rows of the likelihood as arrays: one row for each readable verdict."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from analysis.model.convention import Convention

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

TERMS = ("alpha", "gamma_prev", "gamma_within")
"""The slopes of Eq. 2: inertia, conformity to earlier rounds, conformity within the round."""


@dataclass(frozen=True, slots=True)
class Rows:
    """n verdicts, sorted by case, model and protocol.

    `y` is the label given, by its place in `labels`; `case`, `model`, `protocol` and `stage` are places in
    the tuples of names; `debate` is a number, `round` counts from 1; each is an array of length n. `x` is
    3 by labels by n: own, prev and within of every label, in the order of `TERMS`.
    """

    y: Ints
    case: Ints
    model: Ints
    protocol: Ints
    stage: Ints
    debate: Ints
    round: Ints
    x: Floats
    labels: tuple[str, ...]
    cases: tuple[str, ...]
    models: tuple[str, ...]
    protocols: tuple[str, ...]
    stages: tuple[str, ...]
    convention: Convention

    def __len__(self) -> int:
        return len(self.y)

    def given(self) -> Flags:
        """Labels by n: which label each verdict gave."""
        given: Flags = np.arange(len(self.labels))[:, None] == self.y
        return given

    def where(self, kept: Flags | Ints) -> Rows:
        """Some of the rows, in the same or a given order, with all names kept."""
        arrays = {one.name: getattr(self, one.name)[..., kept] for one in fields(self) if one.name in ARRAYS}
        return replace(self, **arrays)


ARRAYS = ("y", "case", "model", "protocol", "stage", "debate", "round", "x")
"""The fields of `Rows` that have one entry for each row."""
