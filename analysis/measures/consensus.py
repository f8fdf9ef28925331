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

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.courses import Courses
from analysis.estimates import Terms, estimated, plain
from analysis.outcomes import Missing
from analysis.tally import CONDITION, groups

OUTCOMES = ("round 1", "later", "never")
"""When a debate first had consensus; `round 1` is where it ended in one round, if it stops at consensus."""

EMPTY = "no debate of two seats or more"
ILLEGIBLE = "no debate without an unreadable turn"


def estimate(courses: Courses, missing: Missing = "disagree", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """Shares of debates by the round of their first consensus, in each condition.

    Keys: those of `by`; round, from 1 to the last that `variant` allows, null for never. The shares of a
    condition sum to 1. `unreadable` are the debates with an unreadable turn; they left the denominator
    only under `exclude`. Sorted by `by` and round.
    """
    rows = debates(courses, missing)
    longest = outcomes.rounds(courses.verdicts)
    conditions = groups(by, courses.panels, courses.lost())
    played = courses.panels.assign(round=longest[courses.panels["course"]])
    grid = _rounds(plain(conditions.sort_values(list(by))), played, by)
    found = _told(courses, rows.rename(columns={"agreed": "round"}), grid, "round", missing, by)
    return found.assign(round=found["round"].astype("Int64").mask(found["round"] == 0))


def derived(courses: Courses, missing: Missing = "disagree", by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """The same in three `OUTCOMES`. Keys: those of `by`; outcome."""
    rows = debates(courses, missing)
    named = np.select([rows["agreed"] == 1, rows["agreed"] > 1], OUTCOMES[:2], OUTCOMES[2])
    rows = rows.assign(outcome=pd.Categorical(named, OUTCOMES))
    conditions = plain(groups(by, courses.panels, courses.lost()).sort_values(list(by)))
    grid = conditions.merge(pd.DataFrame({"outcome": OUTCOMES}), how="cross")
    return _told(courses, rows, grid, "outcome", missing, by)


def debates(courses: Courses, missing: Missing) -> pd.DataFrame:
    """The rows of debates that count, with `agreed`, the round of their first consensus; 0 for never."""
    agreed = outcomes.consensus_round(courses.verdicts, missing)
    rows = courses.panels[outcomes.counted(courses.verdicts, missing)[courses.panels["course"]]]
    return rows.assign(agreed=agreed[rows["course"]])


def unreadable(courses: Courses, by: Sequence[str]) -> Terms:
    """The debates with an unreadable turn."""
    legible = outcomes.legible(courses.verdicts)
    return Terms(courses.panels[~legible[courses.panels["course"]]], by)


def _told(
    courses: Courses, rows: pd.DataFrame, grid: pd.DataFrame, key: str, missing: Missing, by: Sequence[str]
) -> pd.DataFrame:
    return estimated(
        grid,
        Terms(rows, [*by, key]),
        Terms(rows, by),
        unreadable(courses, by),
        Terms(courses.lost(), by),
        ILLEGIBLE if missing == "exclude" else EMPTY,
    )


def _rounds(conditions: pd.DataFrame, played: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Each condition once for each round it allows or has played, and last for never (round 0)."""
    longest = plain(played.groupby(list(by), observed=True)["round"].max().reset_index())
    last = conditions.merge(longest, on=list(by), how="left")["round"].fillna(0).astype("int64")
    if "variant" in by:
        last = last.clip(lower=conditions["variant"].map(_allowed).to_numpy())
    grid = conditions.loc[conditions.index.repeat(last + 1)]
    number = grid.groupby(level=0).cumcount() + 1
    return grid.assign(round=number.where(number <= last.loc[grid.index], 0)).reset_index(drop=True)


def _allowed(variant: str) -> int:
    """The rounds that a protocol's parameters allow; 0 where they name none."""
    return int(json.loads(variant or "{}").get("rounds", 0))
