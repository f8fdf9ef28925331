"""Verdicts at the beginning and at the end of debates, by model.

A debate that goes on from another has its whole transcript here: round 1 is that of the debate it goes on
from, see `turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.failures import failed
from analysis.interval import with_share
from analysis.labels import UNREADABLE, due, items
from analysis.tally import CONDITION, DESIGN, attach, pick, tally
from analysis.turns import last_labels

WHEN = ("round 1", "last round", "last readable")
"""A seat's verdict in round 1, in the debate's last round, and its last readable one of any round."""

_MEASURE = "verdicts "


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies the verdicts of seats by model and the round they are from, a measure for each of `WHEN`."""
    last = turns.groupby("debate")["round"].transform("max")
    slots = turns.drop_duplicates("slot").set_index("slot")
    chosen = (
        turns[turns["round"] == 1],
        turns[turns["round"] == last],
        slots.drop(columns=["label", "round"]).join(last_labels(turns)[["label", "round"]]),
    )
    return pa.concat_tables(
        tally(_MEASURE + when, rows[[*DESIGN, "model", "round"]].assign(item=items(rows["label"])))
        for when, rows in zip(WHEN, chosen, strict=True)
    )


def estimate(tallies: pa.Table, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Shares of each verdict among the readable ones, by model, in each condition.

    Columns: those of `by`; model; when, one of `WHEN`; latest, the last round that any of the verdicts
    is from (1 for `last round` where nobody spoke after round 1); verdict; count; n, readable verdicts;
    share, low, high (null for n = 0); unreadable, seats whose verdict could not be read; failed, debates
    of the condition. Every verdict has its row, also with count 0. Sorted by `by`, model, `WHEN`, verdict.
    """
    rows = pd.concat(pick(tallies, _MEASURE + when).assign(when=when) for when in WHEN)
    readable = rows[rows["item"] != UNREADABLE].rename(columns={"item": "verdict"})
    keys = [*by, "model", "when"]
    latest = rows.groupby(keys)["round"].max().reset_index(name="latest")
    grid = latest.merge(pd.DataFrame({"verdict": due(readable["verdict"])}), how="cross")
    grid = attach(grid, "count", readable, [*keys, "verdict"])
    grid = attach(grid, "n", readable, keys)
    grid = with_share(grid, "count", "n")
    grid = attach(grid, "unreadable", rows[rows["item"] == UNREADABLE], keys)
    grid = attach(grid, "failed", failed(tallies), by)
    ordered = grid.assign(when=pd.Categorical(grid["when"], WHEN))
    return ordered.sort_values(keys, kind="stable", ignore_index=True).astype({"when": "str"})
