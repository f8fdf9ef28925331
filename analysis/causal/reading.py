"""The designed arms of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa

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
    turns, lost = _table(run, "turns", READ), _table(run, "failures", LOST)
    designed = turns[(turns["protocol"] == REASKED) | turns["planted"].notna()]
    return arms_of(designed, lost)


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


def _table(run: str | Path, name: str, columns: Sequence[str]) -> pd.DataFrame:
    """The rows of a table of a run."""
    files, _ = opened(run)
    parts = [load(files, part, columns) for part in survey(run, name)]
    found: pd.DataFrame = (
        pa.concat_tables(parts).to_pandas() if parts else pd.DataFrame(columns=list(columns))
    )
    return found
