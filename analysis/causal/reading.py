"""The designed arms of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.causal.arms import Planted, ReAsked
from analysis.causal.hearing import planted
from analysis.causal.reasking import reasked
from analysis.labels import due
from analysis.model.features import COLUMNS
from analysis.model.reading import REASKED, ordered
from analysis.part import load
from analysis.storage import opened
from analysis.tables import survey
from analysis.tally import CONDITION

READ = tuple(dict.fromkeys((*COLUMNS, *CONDITION, "n_seats", "repetition", "planted", "stance")))
"""What is read of `turns`."""

LOST = ("debate_id", "protocol", "variant", "panel", "planted")
"""What is read of `failures`."""


@dataclass(frozen=True, slots=True)
class Arms:
    """The arms of a run, null where it has none; `notes` say what was left out of them."""

    reasked: ReAsked | None
    planted: Planted | None
    notes: tuple[str, ...]


def read_arms(run: str | Path) -> Arms:
    """The arms of a run. Raises `tables.RunNotFound`, or `part.PartError` for a torn or foreign part."""
    return arms_of(_designed(run, "turns", READ), _designed(run, "failures", LOST))


def arms_of(turns: pd.DataFrame, failed: pd.DataFrame | None = None) -> Arms:
    """The arms in `turns`, whole debates with the columns `READ`, and in `failed` with `LOST`.

    Only debates in which all seats have the usual steering, if there are such, and that go on from no other.
    """
    lost = pd.DataFrame(columns=list(LOST)) if failed is None else failed.drop_duplicates("debate_id")
    if turns.empty:
        return Arms(None, None, ())
    labels = tuple(due(turns["label"].dropna().unique()))
    told = ordered(turns).assign(planted=lambda all: all["planted"].astype("object"))
    alone = told[(told["protocol"] == REASKED) & told["planted"].isna()]
    heard = told[told["planted"].notna()]
    again, said_again = reasked(alone, labels, lost[lost["protocol"] == REASKED])
    drawn, said_drawn = planted(heard, labels, lost[lost["planted"].notna()])
    return Arms(again, drawn, (*said_again, *said_drawn))


def _designed(run: str | Path, table: str, columns: Sequence[str]) -> pd.DataFrame:
    """The rows of a table of a run that are of its arms."""
    files, _ = opened(run)
    parts = [load(files, part, columns) for part in survey(run, table)]
    if not parts:
        return pd.DataFrame(columns=list(columns))
    ours = [pc.or_(pc.equal(part["protocol"], REASKED), pc.is_valid(part["planted"])) for part in parts]
    kept = [part.filter(own) for part, own in zip(parts, ours, strict=True)]
    found: pd.DataFrame = pa.concat_tables(kept).to_pandas()
    return found
