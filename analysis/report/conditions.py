"""Conditions as a reader meets them: what tells them apart in this run, and nothing else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import pandas as pd

from analysis import naming
from analysis.courses import ALONE

Design = Mapping[str, str]
"""The columns of a condition with their values; null is "". Columns that are pooled over are not there."""

TOGETHER = ("synchronous", *ALONE)
"""Protocols in which nobody speaks before another: their order means nothing."""


def protocol(name: str) -> str:
    """A protocol in words; one of somebody's own with the beginning of the hash of its text."""
    called, _, hash = name.partition("@")
    return called.replace("_", "-") + (f" ({hash})" if hash else "")


def steering(value: str) -> str:
    """The steering of a panel: once where that of all seats is alike, else seat by seat."""
    seats = value.split("+")
    return seats[0] if len(set(seats)) == 1 else " + ".join(seats)


def members(panel: str) -> str:
    """The models of a panel, by seat."""
    return " + ".join(panel.split("+"))


def speakers(panel: str, order: str) -> str:
    """The models of a panel in the order of speaking."""
    models = panel.split("+")
    return " → ".join(models[int(seat) - 1] for seat in order.split("-"))


def first(panel: str, order: str) -> str:
    """An order in words: who speaks first where two models do, else the numbers of the seats."""
    if panel and order.count("-") == 1 and len(set(panel.split("+"))) == 2:
        return f"{panel.split('+')[int(order[0]) - 1]} first"
    return f"order {order}"


@dataclass(frozen=True)
class Conditions:
    """Names for the conditions of a run. `told` has one a row: the columns `tally.CONDITION`, null is ""."""

    told: pd.DataFrame
    _values: dict[tuple[str, ...], set[str]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for row in self.told.to_dict("records"):
            for name, value in row.items():
                said = steering(value) if name == "steering" else str(value)
                for stage, within in product(("", str(row["stage"])), ("", str(row["protocol"]))):
                    found[str(name), stage, within].add(said)
        object.__setattr__(self, "_values", dict(found))

    def heading(self, design: Design) -> str:
        """What conditions are shown together by: their panel, and their stage where there are several.

        "" where they are pooled over both.
        """
        stage = design.get("stage", "")
        said = [members(design["panel"]) if design.get("panel") else ""]
        if len(self._values.get(("stage", "", ""), ())) > 1:
            said.append("" if stage in ("", naming.USUAL["stage"]) else f"stage {stage}")
        return ", ".join(filter(None, said))

    def rest(self, design: Design) -> list[str]:
        """What tells a condition from others under its heading, column by column."""
        said = [
            protocol(design["protocol"]) if self._differs(design, "protocol") else "",
            naming.label({"variant": design["variant"]}) if self._differs(design, "variant", True) else "",
            self._order(design),
            steering(design["steering"]) or "not steered" if self._differs(design, "steering", True) else "",
            design["answer_format"] if self._differs(design, "answer_format") else "",
        ]
        return list(filter(None, said))

    def rank(self, design: Design) -> tuple[object, ...]:
        """Where a condition stands: by size of panel and panel, then protocol, order, and steering."""
        panel = design.get("panel", "")
        others = {name: value for name, value in design.items() if name not in ("panel", "order")}
        first = naming.rank({"stage": design.get("stage", "")})
        return (first, panel.count("+"), panel, naming.rank(others), design.get("order", ""))

    def _differs(self, design: Design, name: str, within: bool = False) -> bool:
        """Whether the stage has several values of a column (`within` the protocol of this condition)."""
        if name not in design:
            return False
        place = (name, design.get("stage", ""), design.get("protocol", "") if within else "")
        return len(self._values.get(place, ())) > 1

    def _order(self, design: Design) -> str:
        order, panel = design.get("order", ""), design.get("panel", "")
        if not order or design.get("protocol") in TOGETHER or not self._differs(design, "order"):
            return ""
        return speakers(panel, order) if panel.count("+") > 1 else first(panel, order)


def designs(frame: pd.DataFrame, by: Sequence[str]) -> list[Design]:
    """The condition of each row of a frame."""
    return [
        {name: str(row[name]) for name in by if name in row}
        for row in frame[[name for name in by if name in frame]].to_dict("records")
    ]
