"""The same figures from every labelling, told side by side, and what judges do to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from analysis.contrast import COLUMNS as DIFFERENCE
from analysis.estimates import COLUMNS as ESTIMATE
from analysis.values import noise
from analysis.values.counted import Counted, Group
from analysis.values.frames import (
    Columns,
    Lost,
    adjusted_within,
    differences,
    headed,
    stacked,
    told,
    with_wilson,
)
from analysis.values.means import Draws, Floats, Means

JUDGING = ("judge", "pass")
"""What tells labellings apart: how the judge is called, see `labels.Labelling`, and the pass."""


@dataclass(frozen=True, slots=True)
class Told:
    """`frame`: figures by labelling. `noise`: each over all labellings, empty where there is one only."""

    frame: pd.DataFrame
    noise: pd.DataFrame


@dataclass(slots=True)
class Telling:
    """Figures while they are being told: by the columns `by`, by labelling, and by `names`."""

    counted: Counted
    by: Sequence[str]
    names: Sequence[str]
    rows: list[Columns] = field(default_factory=list)
    noises: list[Columns] = field(default_factory=list)

    def means(
        self, group: Group, keys: Columns, found: Sequence[Means], lost: Sequence[Lost], empty: str
    ) -> None:
        """Tells means: a row of `keys` for each, one of `found` for each labelling."""
        for place, (one, left) in enumerate(zip(found, lost, strict=True)):
            self._add(group, place, told(keys, one, left, empty))
        self._noise(group, keys, [one.estimate for one in found], [one.drawn for one in found], found)

    def differences(
        self,
        group: Group,
        keys: Columns,
        found: Sequence[tuple[Means, Means]],
        lost: Sequence[Lost],
        empty: str,
        paired: bool = False,
    ) -> None:
        """Tells differences, the first less the second of each of `found`."""
        for place, (pair, left) in enumerate(zip(found, lost, strict=True)):
            self._add(group, place, differences(keys, *pair, left, empty, paired))
        estimates = [one.estimate - other.estimate for one, other in found]
        drawn = [one.drawn - other.drawn for one, other in found]
        self._noise(group, keys, estimates, drawn, [one for one, _ in found])

    def told_means(self, proportion: bool = False) -> Told:
        """All means that were told; a `proportion` has the interval of independent trials too."""
        frame = stacked(self.rows, [*self.by, *JUDGING, *self.names, *ESTIMATE])
        if proportion and len(frame):
            frame = with_wilson(frame, (frame["denominator"] > 0).to_numpy())
        return Told(frame, self._noises())

    def told_differences(self, family: Sequence[str]) -> Told:
        """All differences that were told; rows alike in labelling and `family` are adjusted together."""
        frame = stacked(self.rows, [*self.by, *JUDGING, *self.names, *DIFFERENCE])
        frame = frame.astype({"gained": "Int64", "lost": "Int64"})
        return Told(adjusted_within(frame, [*JUDGING, *family]), self._noises())

    def _noises(self) -> pd.DataFrame:
        return stacked(self.noises, [*self.by, *self.names, *noise.COLUMNS])

    def _add(self, group: Group, place: int, rows: Columns) -> None:
        _, judge, number = self.counted.labellings[place]
        self.rows.append(headed({**group.keys, "judge": judge, "pass": number}, rows))

    def _noise(
        self,
        group: Group,
        keys: Columns,
        estimates: Sequence[Floats],
        drawn: Sequence[Draws],
        found: Sequence[Means],
    ) -> None:
        if len(found) > 1:
            rows = noise.noise(keys, self.counted.judges, estimates, drawn, found[0].cases)
            self.noises.append(headed(group.keys, rows))
