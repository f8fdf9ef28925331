"""What consultants do while they differ: persistence, recovery, overthinking, stubbornness."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.oversight.moves import ACTIONS, moves
from analysis.oversight.study import BY, Study
from analysis.tally import groups

LEVELS = ("seat", "model")
"""Each seat of a panel by itself, or all seats of a model, which may sit twice."""

EMPTY = "no turn before which the consultants differed and one was right"


def estimate(study: Study, by: Sequence[str] = BY) -> pd.DataFrame:
    """The share of each action among the turns of a consultant before which the answers differed.

    All turns are pooled; the shares of a consultant sum to 1. Keys: those of `by`; level, of `LEVELS`; model;
    seat, "" for a model; action. `unreadable` are turns that could not be read and `failed` debates given up;
    after the usual columns: `violation`, turns that broke a rule, `neither_right` and `truth_unknown`, turns
    of which nobody could say, `unanswered`, turns before which a consultant had no answer. None of these is
    in the denominator. Sorted by the keys.
    """
    rows = by_level(moves(study))
    told = [*by, "level", "model", "seat"]
    counted = rows[rows["kind"].isin(ACTIONS)]
    grid = groups(told, rows).merge(pd.DataFrame({"action": pd.Categorical(ACTIONS, ACTIONS)}), how="cross")
    grid = grid.sort_values([*told, "action"], ignore_index=True)
    found = estimated(
        grid,
        Terms(counted.rename(columns={"kind": "action"}), [*told, "action"]),
        Terms(counted, told),
        Terms(rows[rows["kind"] == "unreadable"], told),
        Terms(study.failed[study.failed["judge"] == ""].assign(count=1), by),
        EMPTY,
    )
    others = {
        kind.replace(" ", "_"): kind for kind in ("violation", "neither right", "truth unknown", "unanswered")
    }
    return found.assign(
        **{name: Terms(rows[rows["kind"] == kind], told).total(grid) for name, kind in others.items()}
    )


def by_level(rows: pd.DataFrame) -> pd.DataFrame:
    """The turns twice: told by seat and by model."""
    levels = pd.concat([rows.assign(level="seat"), rows.assign(level="model", seat="")], ignore_index=True)
    return levels.assign(level=pd.Categorical(levels["level"], LEVELS))
