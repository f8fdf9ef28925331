"""How a measure is shown: what its figure is, and what of it the figure shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

from analysis.measures.distribution import WHEN
from analysis.naming import USUAL
from analysis.report.units import Unit

Kind = Literal["stack", "forest", "matrix", "none"]

LABELLING = ("judge", "pass")
"""What tells labellings apart: figures show the first."""


@dataclass(frozen=True, slots=True)
class View:
    """The figure of a measure, and the layout of its table.

    `across` is the key column whose values stand beside each other in the figure: the parts of a bar
    (`stack`), marks on one line (`forest`), columns (`matrix`); "" for none. `columns` is that of the table.
    Page and figure show only rows with the values in `only`, the figure only those that are also in `drawn`,
    those of the `usual` steering where there are any, and of the values of the key column `ranked` the `most`
    estimates that are farthest from 0. The values of the key column `headed` have panels of their own.
    The columns `counts` are in its files only. `caption` says what the figure shows. Without a `unit`
    estimates are percent, differences points, means an index.
    """

    kind: Kind = "forest"
    across: str = ""
    columns: str = ""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    usual: bool = False
    ranked: str = ""
    most: int = 12
    caption: str = ""
    unit: Unit | None = None
    headed: str = ""
    counts: tuple[str, ...] = ()

    def page(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows that stand on the page; verdicts of a last round only where it is not the first."""
        if "latest" in frame:
            frame = frame[(frame["when"] == WHEN[0]) | (frame["latest"] > 1)].drop(columns="latest")
        return _among(frame, self.only).drop(columns=list(self.counts))

    def figure(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The rows that are drawn, `ranked` ones from the highest to the lowest."""
        shown = _among(self.page(frame), self.drawn)
        if set(LABELLING) <= set(shown.columns) and len(shown):
            first = shown[list(LABELLING)].iloc[0]
            shown = shown[(shown[list(LABELLING)] == first).all(axis=1)]
        if self.usual:
            plain = shown[[set(str(one).split("+")) == {USUAL["steering"]} for one in shown["steering"]]]
            shown = plain if len(plain) else shown
        return self._farthest(shown) if self.ranked else shown

    def _farthest(self, frame: pd.DataFrame) -> pd.DataFrame:
        names = list(frame.columns[: frame.columns.get_loc("numerator")])
        others = [name for name in names if name != self.ranked]
        known = frame[frame["estimate"].notna()]
        far = known.assign(far=known["estimate"].abs()).sort_values(
            ["far", self.ranked], ascending=[False, True]
        )
        kept = far.groupby(others, sort=False, dropna=False, observed=True).head(self.most)
        return kept.drop(columns="far").sort_values(
            [*others, "estimate", self.ranked], ascending=[*(True for _ in others), False, True]
        )


def _among(frame: pd.DataFrame, allowed: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    for column, values in allowed.items():
        frame = frame[[str(value) in values for value in frame[column]]]
    return frame
