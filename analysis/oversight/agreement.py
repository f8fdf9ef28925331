"""By which turn consultants of a disagreement resolution hold one answer."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.courses import RESOLUTION
from analysis.estimates import Terms, estimated
from analysis.oversight.arms import defaults
from analysis.oversight.exits import EMPTY
from analysis.oversight.moves import resolutions, standing
from analysis.oversight.options import NONE
from analysis.oversight.study import BY, Study
from analysis.tally import groups


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of finished resolutions in which both consultants hold one answer by each turn.

    Keys: those of `by`; turn, from 1 to the last that any debate of the condition may take. Shares never fall
    along the turns.
    """
    rows = resolutions(study)
    stood = standing(study)
    agreed = (stood[:, :, 0] == stood[:, :, 1]) & (stood[:, :, 0] != NONE)
    first = np.where(agreed.any(axis=1), agreed.argmax(axis=1), np.iinfo(np.int64).max)
    rows = rows.assign(count=1, first_agreed=first, last=_last(rows))
    lost = study.failed[(study.failed["judge"] == "") & (study.failed["protocol"] == RESOLUTION)]
    grid = _turns(groups(by, rows), rows, by)
    turns = sorted(set(grid["turn"]))
    by_turn = [rows[rows["first_agreed"] <= turn].assign(turn=turn) for turn in turns]
    return estimated(
        grid,
        Terms(pd.concat([rows[:0].assign(turn=0), *by_turn]), [*by, "turn"]),
        Terms(rows, by),
        None,
        Terms(lost.assign(count=1), by),
        EMPTY,
    )


def _last(rows: pd.DataFrame) -> list[int]:
    """The last turn that the parameters of each debate allow; where they do not say, as is usual."""
    usual = defaults(RESOLUTION)["turns"]
    allowed = {variant: json.loads(variant or "{}").get("turns", usual) for variant in set(rows["variant"])}
    return [int(allowed[variant]) for variant in rows["variant"]]


def _turns(conditions: pd.DataFrame, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    longest = rows.groupby(list(by), observed=True)["last"].max().reset_index()
    grid = conditions.merge(longest, on=list(by)).sort_values(list(by), ignore_index=True)
    grid = grid.loc[grid.index.repeat(grid["last"])]
    return grid.assign(turn=grid.groupby(level=0).cumcount() + 1).drop(columns="last").reset_index(drop=True)
