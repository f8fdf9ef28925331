"""How disagreement resolutions end, and how the accuracy of a judge is made up by it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.courses import RESOLUTION
from analysis.estimates import Terms, estimated
from analysis.oversight.moves import resolutions
from analysis.oversight.scores import scored
from analysis.oversight.study import BY, NAIVE, OF_JUDGE, Study
from analysis.tally import groups

MODES = ("consensus", "swapped", "turn_limit")
"""Both hold one answer; they exchanged their answers in the last turn; they still differ after it."""

UNANSWERED = "unanswered"
"""Nobody ever had a readable answer, so that there was nothing to resolve: the tables have no exit mode."""

EMPTY = "no finished disagreement resolution"
UNJUDGED = "no judgment of one with a known truth"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of finished resolutions that end in each way; the shares of a condition sum to 1.

    Keys: those of `by`; exit_mode, of `MODES`, and `UNANSWERED` where there is any such.
    """
    rows = with_mode(resolutions(study)).assign(count=1)
    lost = study.failed[(study.failed["judge"] == "") & (study.failed["protocol"] == RESOLUTION)]
    grid = _by_mode(groups(by, rows, lost), rows, by)
    return estimated(
        grid,
        Terms(rows, [*by, "exit_mode"]),
        Terms(rows, by),
        None,
        Terms(lost.assign(count=1), by),
        EMPTY,
    )


def right(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of instances that are decided rightly and ended in each way: these sum to the accuracy.

    Keys: those of `by`; judge; sees; answers; exit_mode. The other columns are as in `accuracy.estimate`.
    """
    keys = [*by, *OF_JUDGE]
    judged, known = (
        with_mode(rows[(rows["protocol"] == RESOLUTION) & (rows["sees"] != NAIVE)])
        for rows in (study.judged, study.known)
    )
    found = scored(known, keys)
    grid = _by_mode(groups(keys, judged), judged, keys)
    return found.estimate(grid, found.rows["right"], ["exit_mode"], study.lost(by), UNJUDGED)


def with_mode(rows: pd.DataFrame) -> pd.DataFrame:
    """The resolutions with `UNANSWERED` where they have no exit mode."""
    return rows.assign(exit_mode=rows["exit_mode"].where(rows["exit_mode"] != "", UNANSWERED))


def _by_mode(conditions: pd.DataFrame, rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    modes = [*MODES, *[UNANSWERED] * bool((rows["exit_mode"] == UNANSWERED).any())]
    grid = conditions.merge(pd.DataFrame({"exit_mode": pd.Categorical(modes, modes)}), how="cross")
    return grid.sort_values([*keys, "exit_mode"], ignore_index=True)
