"""Change of verdict: the share of debates in which a seat left its first verdict.

A seat changed its verdict when any later readable verdict of it differs from its readable verdict of
round 1, so one that came back to where it began has changed too. A debate counts for every seat whose
round-1 verdict is readable, whether or not anyone disagreed. Where nobody hears anybody, in debates of
one seat and in `solo`, there is nothing to change for, and they do not count.

A debate that goes on from another counts in its own stage with its whole transcript: its first verdict
is that of the debate it goes on from, see `turns`.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.failures import failed
from analysis.interval import with_share
from analysis.tally import CONDITION, DESIGN, attach, groups, pick, tally
from analysis.turns import designs, last_labels, opening_labels

SEATS, DEBATES = "change by seat", "change by model"
EVENTS = ("eligible", "changed", "ended", "unreadable")


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies seats, and debates by model, under the items "<among> <event>".

    `among` is all debates, or those with two different verdicts in round 1. Of the `EVENTS`, `ended`
    says that the last readable verdict differs from the first, `unreadable` that the first is not.
    """
    slots = _slots(turns)
    debates = slots.groupby(["debate", "model", "disagreed"], observed=True, sort=False)[list(EVENTS)].any()
    debates["unreadable"] &= ~debates["eligible"]
    by_model = debates.reset_index().join(designs(turns), on="debate")
    return pa.concat_tables([tally(SEATS, _items(slots)), tally(DEBATES, _items(by_model))])


def estimate(tallies: pa.Table, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Rates of change of verdict, in each condition.

    Columns: those of `by`; level; model; seat; among; n, changed, share, low, high; ended, ended_share,
    ended_low, ended_high; unreadable, what left n because the round-1 verdict could not be read; failed.

    `level` is `seat` (each seat by itself); `seats` (all seats of the model, each counted; the interval
    takes them for independent); or `debate` (a debate with any such seat counts once, as changed when
    one of them changed). `seat` is "" for the latter two. `among` is `all` debates, or only those that
    `disagreed` in round 1. Sorted by these.
    """
    seats, debates = (_heard(pick(tallies, name, seats=2)) for name in (SEATS, DEBATES))
    levels = [
        seats.assign(level="seat"),
        seats.assign(level="seats", seat=""),
        debates.assign(level="debate"),
    ]
    rows = pd.concat(levels)
    words = rows["item"].str.split(" ")
    rows = rows.assign(among=words.str[0], event=words.str[1])
    keys = [*by, "level", "model", "seat", "among"]
    grid = groups(keys, rows)
    for name, event in (("n", "eligible"), *((event, event) for event in EVENTS[1:])):
        grid = attach(grid, name, rows[rows["event"] == event], keys)
    grid = with_share(grid, "changed", "n")
    grid = with_share(grid, "ended", "n", prefix="ended_")
    grid = attach(grid, "failed", _heard(failed(tallies, seats=2)), by)
    ordered = grid.assign(level=pd.Categorical(grid["level"], ["seat", "seats", "debate"]))
    return ordered.sort_values(keys, ignore_index=True).astype({"level": "str"})


def _heard(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["protocol"] != "solo"]


def _slots(turns: pd.DataFrame) -> pd.DataFrame:
    """One row per debate and seat: its design and model, and what of `EVENTS` happened."""
    opening = opening_labels(turns)
    slots = turns.drop_duplicates("slot").set_index("slot")[["debate", *DESIGN, "seat", "model"]]
    first = opening.reindex(slots.index)
    moved = turns[turns["code"] != turns["slot"].map(opening)]
    later = moved[(moved["round"] > 1) & moved["code"].notna()]
    silent = turns[(turns["round"] == 1) & turns["code"].isna()]
    verdicts = first.groupby(slots["debate"])
    apart = verdicts.min() < verdicts.max()
    return slots.assign(
        eligible=first.notna(),
        changed=first.notna() & slots.index.isin(later["slot"]),
        ended=first.notna() & (last_labels(turns)["code"].reindex(slots.index) != first),
        unreadable=first.isna() & slots.index.isin(silent["slot"]),
        disagreed=slots["debate"].map(apart).astype("bool"),
    )


def _items(rows: pd.DataFrame) -> pd.DataFrame:
    """Long form: a row per row of `rows`, group (all, disagreed) that it is in, and event, with a count."""
    keys = [name for name in (*DESIGN, "seat", "model") if name in rows.columns]
    events = rows.melt([*keys, "disagreed"], list(EVENTS), "event", "count").astype({"count": "int64"})
    disagreed = events[events["disagreed"]]
    return pd.concat(
        [
            events.assign(item="all " + events["event"]),
            disagreed.assign(item="disagreed " + disagreed["event"]),
        ]
    )
