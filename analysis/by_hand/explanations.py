"""The explanations of a run, for people who label them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from analysis.by_hand.explanation import Explanation
from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey
from protocols.columns import DESIGN

NAMES = tuple(name for name, _, _ in DESIGN)
COLUMNS = (*NAMES, "round", "seat", "label", "explanation", "opening")


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
