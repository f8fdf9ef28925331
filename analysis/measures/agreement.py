"""What a speaker does with what it has just heard, by place in the speaking order.

In `round_robin` the later speakers of round 1 give their first verdict after hearing others, so it is
exposed already: whether it is the verdict just heard is told apart from whether it is revised later.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.courses import SILENT, UNREADABLE, Codes, Courses
from analysis.estimates import Terms, estimated
from analysis.measures.change import heard
from analysis.measures.gather import gather
from analysis.naming import USUAL
from analysis.outcomes import Flags
from analysis.tally import CONDITION, groups

KINDS = ("first-round agreement", "later revision")
"""The first verdict is the one just heard, of seats with both readable; a later verdict is not the first, of
seats with a readable first verdict."""

POOLED = tuple(name for name in CONDITION if name != "order")
"""What a table of positions is told by: all orders of a panel together."""

EMPTY = "no such seat with readable verdicts"


def estimate(courses: Courses, by: Sequence[str] = POOLED) -> pd.DataFrame:
    """Both rates of debates that began in `round_robin`, by position and by who spoke just before.

    Keys: those of `by`; model; position, from 1; predecessor, the model that spoke just before in round 1,
    "" for the first, who has heard nobody and has no first-round agreement; kind, of `KINDS`.
    """
    rows = _begun(heard(courses))
    rows = rows.assign(position=rows["place"] + 1)
    keys = [*by, "model", "position", "predecessor"]
    first = outcomes.opening(courses.verdicts)
    before = _before(first)
    seats = {
        (KINDS[0], "happened"): (first >= 0) & (first == before),
        (KINDS[0], "eligible"): (first >= 0) & (before >= 0),
        (KINDS[0], "unreadable"): np.minimum(first, before) == UNREADABLE,
        (KINDS[1], "happened"): outcomes.changed(courses.verdicts),
        (KINDS[1], "eligible"): first >= 0,
        (KINDS[1], "unreadable"): first == UNREADABLE,
    }
    events: dict[tuple[str, ...], Flags] = {
        name: flags[rows["course"], rows["place"]] for name, flags in seats.items()
    }
    happened = gather(rows, keys, events, ["kind", "event"])
    told = [*keys, "kind"]
    yes, eligible, unreadable = (
        Terms(happened[happened["event"] == event], told) for event in ("happened", "eligible", "unreadable")
    )
    failed = Terms(_begun(courses.lost(heard=True)), by)
    return estimated(groups(told, happened).sort_values(told), yes, eligible, unreadable, failed, EMPTY)


def _begun(rows: pd.DataFrame) -> pd.DataFrame:
    """The debates of which round 1 was round_robin: others go on from a first round of any protocol."""
    return rows[(rows["protocol"] == "round_robin") & (rows["stage"] == USUAL["stage"])]


def _before(first: Codes) -> Codes:
    """The verdict of the seat that speaks just before; silence before the first."""
    return np.hstack([np.full_like(first[:, :1], SILENT), first[:, :-1]])
