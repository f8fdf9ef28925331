"""What each consultant did in each turn of a disagreement resolution, by the answers that stood before it.

The answer of a seat stands until it gives another in a turn that can be read and breaks no rule.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.courses import OUTSIDE, RESOLUTION
from analysis.oversight.debated import SEATS
from analysis.oversight.options import NONE, Numbers
from analysis.oversight.study import Study

ACTIONS = ("persistence", "recovery", "overthinking", "stubbornness")
"""From the right answer to itself, from a wrong one to the right one, from the right one to a wrong one, and
from a wrong one to a wrong one."""

RULED_OUT = ("violation", "unreadable", "neither right", "truth unknown", "unanswered", "agreed before")
"""Why a turn is no action: it broke a rule, could not be read, no consultant was right before it, nobody
knows what is right, a consultant had no answer before it, or the consultants did not differ."""


def resolutions(study: Study) -> pd.DataFrame:
    """The finished disagreement resolutions of two seats, numbered by their index from 0."""
    rows = study.further[(study.further["protocol"] == RESOLUTION) & (study.further["n_seats"] == len(SEATS))]
    return rows.reset_index(drop=True)


def standing(study: Study) -> Numbers:
    """The answers that stand after each turn: shape (resolutions, turns + 1, 2), in numbers of options.

    Turn 0 is all that was said before it: openings, or more where it goes on from a longer debate. After the
    last turn of a debate its last answers go on standing.
    """
    turns = _turns(study)
    size = (len(resolutions(study)), int(turns["t"].max()) + 1 if len(turns) else 1, len(SEATS))
    answers = np.full(size, NONE, np.int64)
    valid = turns[turns["readable"] & (turns["violation"] != OUTSIDE)].sort_values("t", kind="stable")
    last = valid.assign(t=valid["t"].clip(lower=0)).drop_duplicates(["number", "t", "place"], keep="last")
    answers[last["number"], last["t"], last["place"]] = last["answer"]
    for t in range(1, size[1]):
        answers[:, t] = np.where(answers[:, t] == NONE, answers[:, t - 1], answers[:, t])
    return answers


def moves(study: Study) -> pd.DataFrame:
    """The turns after the openings: the design of the debate, truth, seat, place, model, `t`, confidence;
    `before` and `after`, the answers of the seat that stand; `kind`, one of `ACTIONS` or `RULED_OUT`.
    """
    turns = _turns(study)
    said = turns[turns["t"] >= 1]
    stood = standing(study)
    number, t, place = (said[name].to_numpy() for name in ("number", "t", "place"))
    before, other = stood[number, t - 1, place], stood[number, t - 1, 1 - place]
    after, truth = stood[number, t, place], said["truth"].to_numpy()
    was, became = before == truth, after == truth
    kind = np.select(
        [
            (before == NONE) | (other == NONE),
            before == other,
            truth == NONE,
            ~was & (other != truth),
            ~said["readable"].to_numpy(),
            (said["violation"] != "").to_numpy(),
            was & became,
            became,
            was,
        ],
        [
            *("unanswered", "agreed before", "truth unknown", "neither right", "unreadable", "violation"),
            *("persistence", "recovery", "overthinking"),
        ],
        "stubbornness",
    )
    return said.assign(before=before, after=after, kind=kind, count=1)


def _turns(study: Study) -> pd.DataFrame:
    """The turns of resolutions, with `number`, that of the resolution, and its design."""
    rows = resolutions(study)
    named = rows.drop(columns=list(SEATS)).assign(number=rows.index)
    turns: pd.DataFrame = study.turns.merge(named, on="debate_id")
    return turns
