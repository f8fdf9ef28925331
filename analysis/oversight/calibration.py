"""How far the confidence that consultants state is from what came of it.

`p` is stated in the answer that the turn gives, Z is 1 where that is the right one, else 0. `chosen` is the
mean of (p - Z)^2. For a single action Z is fixed, so with p of .25, .5 and .75 it lies from .0625 to .5625.
`converted` is the mean of (p_C - Z)^2, p_C being what p says of the right answer C: p where the turn gives C,
1 - p where it does not. It is another number, and is lower where a wrong answer is given with confidence. The
distance of p_C from 1, of which `beliefs` has the mean at the end, is that of p from Z.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.measures.solo import GRAIN, units
from analysis.oversight.actions import by_level
from analysis.oversight.moves import ACTIONS, moves
from analysis.oversight.study import BY, Study
from analysis.tally import groups

SCORES = ("chosen", "converted")
EMPTY = "no such action with a stated confidence"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The mean squared distance of confidence from what came of it, by action.

    Keys: those of `by`; level; model; seat; action, as in `actions.estimate`; score, of `SCORES`. The
    denominator are actions with a stated confidence; `unconfident`, the last column, are those without.
    Sorted by the keys.
    """
    rows = by_level(_actions(study))
    told = [*by, "level", "model", "seat", "action"]
    stated = rows[rows["confidence"].notna()]
    grid = groups(told, rows).merge(pd.DataFrame({"score": pd.Categorical(SCORES, SCORES)}), how="cross")
    grid = grid.sort_values([*told, "score"], ignore_index=True)
    found = estimated(
        grid,
        Terms(_squares(stated), [*told, "score"]),
        Terms(stated, told),
        None,
        Terms(study.failed[study.failed["judge"] == ""].assign(count=1), by),
        EMPTY,
        GRAIN,
    )
    return found.assign(unconfident=Terms(rows[rows["confidence"].isna()], told).total(grid))


def _actions(study: Study) -> pd.DataFrame:
    rows = moves(study)
    own = rows[rows["kind"].isin(ACTIONS)]
    return own.assign(action=pd.Categorical(own["kind"], ACTIONS))


def _squares(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows once for each score, with `count` in units of 1 / GRAIN."""
    p, right = rows["confidence"].to_numpy(np.float64), (rows["answer"] == rows["truth"]).to_numpy()
    of_right = np.where(right, p, 1 - p)
    squares = {"chosen": (p - right) ** 2, "converted": (of_right - right) ** 2}
    return pd.concat([rows.assign(score=name, count=units(square)) for name, square in squares.items()])
