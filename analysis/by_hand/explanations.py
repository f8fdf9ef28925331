"""The explanations of a run, for people who label them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey
from protocols.columns import DESIGN

NAMES = tuple(name for name, _, _ in DESIGN)
COLUMNS = (*NAMES, "round", "seat", "label", "explanation", "opening")

Place = tuple[str, int, str]  # of a turn: its debate, round and seat


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation in one turn, `place`; `design` are the design columns of its debate."""

    text: str
    place: Place
    design: dict[str, Any]

    @property
    def id(self) -> str:
        """Its name on a sheet, see `sheet_id`."""
        return sheet_id(self.place)


def sheet_id(place: Place) -> str:
    """A name that tells nothing of the turn, and that no spreadsheet takes for a number."""
    told = "\x1f".join(map(str, place))
    return f"t{blake2b(told.encode(), digest_size=8).hexdigest()}"


def explanations(run: str | Path) -> Iterator[Explanation]:
    """Those in the debates that have ended, each where it was said, that a labeller would be asked about.

    Raises as `tables.survey` does.
    """
    files, _ = opened(run)
    for part in survey(run, "turns"):
        for row in _said_here(load(files, part, COLUMNS)).to_pylist():
            if row["explanation"].strip():
                place = row["debate_id"], row["round"], row["seat"]
                yield Explanation(row["explanation"], place, {name: row[name] for name in NAMES})


def _said_here(turns: pa.Table) -> pa.Table:
    return turns.filter(pc.and_(pc.is_valid(turns["label"]), pc.invert(turns["opening"])))
