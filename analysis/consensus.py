"""Consensus by round.

There is consensus in a round when every seat of the panel gave a readable verdict in it and all are
equal; a majority is none. A debate counts once, under the first round with consensus, or under never.
Debates of one seat do not count.

A debate that goes on from another counts in its own stage with its whole transcript, rounds of the debate
it goes on from included: where only debates without consensus go on, none is left to agree in those.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, get_args

import pandas as pd
import pyarrow as pa

from analysis.failures import failed
from analysis.interval import with_share
from analysis.tally import CONDITION, attach, groups, pick, tally
from analysis.turns import designs

Missing = Literal["disagree", "exclude", "worst"]
"""What an unreadable turn means for the consensus of its round.

- `disagree`: it agrees with nothing, as in the debate itself. The least consensus there can have been.
- `exclude`: a debate with an unreadable turn in any round leaves numerators and denominator.
- `worst`: it agrees with whatever the others say; a round in which nobody could be read agrees too.
  The most consensus there can have been: the share with consensus up to any round, had all turns
  been readable, lies between those of `disagree` and `worst`.
"""


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies debates by first round with consensus, under the item of each reading of `Missing`.

    Further items: `rounds`, debates by their last round; `unreadable`, those with an unreadable turn.
    """
    debates = designs(turns)
    rounds = turns.groupby(["debate", "round"], sort=False).agg(
        spoken=("round", "size"), readable=("code", "count"), low=("code", "min"), high=("code", "max")
    )
    rounds = rounds.reset_index("round").join(debates["n_seats"])
    complete = rounds["spoken"] >= rounds["n_seats"]
    readable = rounds["readable"] == rounds["spoken"]
    differing = rounds["low"] < rounds["high"]
    strict = _first(rounds[complete & readable & ~differing])
    lenient = _first(rounds[complete & ~differing])
    legible = readable.groupby(level=0).all().reindex(debates.index)
    outcomes = [
        debates.assign(item="disagree", round=strict),
        debates.assign(item="exclude", round=strict)[legible],
        debates.assign(item="worst", round=lenient),
        debates.assign(item="rounds", round=rounds["round"].groupby(level=0).max()),
        debates.assign(item="unreadable")[~legible],
    ]
    return tally("consensus", pd.concat(outcomes))


def estimate(tallies: pa.Table, missing: Missing = "disagree", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Shares of debates by the round of their first consensus, in each condition.

    Columns: those of `by`; round, from 1 to the last that `variant` allows, null for never; count; n,
    debates in the denominator; share, low, high (null for n = 0); unreadable, debates with an
    unreadable turn; failed, debates that failed and are in no other figure. Sorted by `by` and round.
    """
    if missing not in get_args(Missing):
        raise ValueError(f"missing is {missing!r}; it may be {', '.join(get_args(Missing))}")
    rows, lost = pick(tallies, "consensus", seats=2), failed(tallies, seats=2)
    first = rows[rows["item"] == missing]
    grid = _rounds(groups(by, rows, lost), rows[rows["item"] == "rounds"], by)
    grid = attach(grid, "count", first, [*by, "round"])
    grid = attach(grid, "n", first, by)
    grid = with_share(grid, "count", "n")
    grid = attach(grid, "unreadable", rows[rows["item"] == "unreadable"], by)
    grid = attach(grid, "failed", lost, by)
    grid["round"] = grid["round"].astype("Int64").mask(grid["round"] == 0)
    return grid.sort_values([*by, "round"], ignore_index=True)


def _first(agreed: pd.DataFrame) -> pd.Series[int]:
    return agreed["round"].groupby(level=0).min()


def _rounds(conditions: pd.DataFrame, played: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Each condition once for never (round 0) and once for each round it allows or has played."""
    longest = played.groupby(list(by), as_index=False)["round"].max()
    last = conditions.merge(longest, on=list(by), how="left")["round"].fillna(0).astype("int64")
    if "variant" in by:
        last = last.clip(lower=conditions["variant"].map(_allowed).to_numpy())
    grid = conditions.loc[conditions.index.repeat(last + 1)]
    return grid.assign(round=grid.groupby(level=0).cumcount()).reset_index(drop=True)


def _allowed(variant: str) -> int:
    """The rounds that a protocol's parameters allow; 0 where they name none."""
    return int(json.loads(variant or "{}").get("rounds", 0))
