"""The same figures from every labelling, told side by side, and what judges do to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pandas as pd

from analysis import contrast, estimates
from analysis.values import noise
from analysis.values.counted import Counted, Group
from analysis.values.frames import Lost, adjusted_within, differences, told
from analysis.values.means import Means

JUDGING = ("judge", "pass")
"""What tells labellings apart."""


@dataclass(frozen=True, slots=True)
class Told:
    """`frame`: figures by labelling. `noise`: each figure over all labellings, empty where there is one only."""

    frame: pd.DataFrame
    noise: pd.DataFrame


@dataclass(slots=True)
class Telling:
    """Figures while they are being told: by the columns `by`, by labelling, and by `names`."""

    counted: Counted
    by: Sequence[str]
    names: Sequence[str]
    frames: list[pd.DataFrame] = field(default_factory=list)
    noises: list[pd.DataFrame] = field(default_factory=list)

    def means(
        self,
        group: Group,
        keys: pd.DataFrame,
        found: Sequence[Means],
        lost: Sequence[Lost],
        empty: str,
        proportion: bool = False,
    ) -> None:
        """Tells means: a row of `keys` for each, one of `found` for each labelling."""
        for place, (one, left) in enumerate(zip(found, lost, strict=True)):
            self.frames.append(self._headed(group, told(keys, one, left, empty, proportion), place))
        self._noise(group, keys, found, None)

    def differences(
        self,
        group: Group,
        keys: pd.DataFrame,
        found: Sequence[tuple[Means, Means]],
        lost: Sequence[Lost],
        empty: str,
        paired: bool = False,
    ) -> None:
        """Tells differences, the first less the second of each of `found`."""
        for place, (pair, left) in enumerate(zip(found, lost, strict=True)):
            self.frames.append(self._headed(group, differences(keys, *pair, left, empty, paired), place))
        self._noise(group, keys, [one for one, _ in found], [other for _, other in found])

    def told(self, family: Sequence[str] = ()) -> Told:
        """All that was told; tests that are alike in the labelling and the columns `family` are adjusted together."""
        columns = [*self.by, *JUDGING, *self.names]
        if not self.frames:
            last = contrast.COLUMNS if family else estimates.COLUMNS
            return Told(pd.DataFrame(columns=[*columns, *last]), self._noises())
        frame = pd.concat(self.frames, ignore_index=True)[[*columns, *self.frames[0].columns[len(columns) :]]]
        return Told(adjusted_within(frame, [*JUDGING, *family]) if family else frame, self._noises())

    def _noises(self) -> pd.DataFrame:
        columns = [*self.by, *self.names, *noise.COLUMNS]
        return (
            pd.concat(self.noises, ignore_index=True)[columns]
            if self.noises
            else pd.DataFrame(columns=columns)
        )

    def _headed(self, group: Group, frame: pd.DataFrame, place: int) -> pd.DataFrame:
        _, judge, number = self.counted.labellings[place]
        return pd.DataFrame({**group.keys, "judge": judge, "pass": number}, index=frame.index).join(frame)

    def _noise(
        self, group: Group, keys: pd.DataFrame, found: Sequence[Means], against: Sequence[Means] | None
    ) -> None:
        """The noise of means, or of those less the ones `against` them."""
        if len(found) < 2:
            return
        judges = [judge for _, judge, _ in self.counted.labellings]
        values, drawn = [one.estimate for one in found], [one.drawn for one in found]
        if against is not None:
            values = [one - other.estimate for one, other in zip(values, against, strict=True)]
            drawn = [one - other.drawn for one, other in zip(drawn, against, strict=True)]
        frame = noise.noise(keys, judges, values, drawn, found[0].cases)
        self.noises.append(pd.DataFrame(group.keys, index=frame.index).join(frame))
