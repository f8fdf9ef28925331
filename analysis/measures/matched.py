"""What debates decide against the majority of as many answers given alone: the same budget of calls.

What a debate costs is told by its calls, one for each of its turns. What it decides is its consensus verdict;
a debate without consensus decides nothing and is in no denominator of decisions. Debates that go on from
others are not there: they begin with answers that were given before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.bootstrap import Floats
from analysis.contrast import differences, pairs
from analysis.courses import Courses
from analysis.estimates import Terms, estimated
from analysis.measures import solo
from analysis.measures.change import heard
from analysis.measures.distribution import decided, named
from analysis.measures.majority import winning
from analysis.measures.solo import GRAIN, SIDE
from analysis.tally import CONDITION, groups

PANEL = "panel"
"""The voters where the solo answers of all models of the panel lie in one urn, if each has given any."""

MAJORITY = "majority of solo answers"
EMPTY = "no debate with consensus and as many solo answers as it made calls"


def verdicts(courses: Courses, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """What debates decide less what a majority of as many solo answers as they made calls would.

    Keys: those of `by`; voters, a model of the panel or "panel", see `PANEL`; verdict; value, which is
    "debate"; against, which is "majority of solo answers", see `majority.winning` for ties. `unreadable`
    are decisions with fewer solo answers than calls.
    """
    courses = courses.begun
    rows, short, chances = _matched(courses)
    said = rows["verdict"].cat.codes.to_numpy()[:, None] == np.arange(len(courses.vocabulary))
    both = solo.sides(rows, MAJORITY)
    counts = both["count"].to_numpy()[:, None] * solo.units(np.vstack([said, chances]))
    keys = [*by, "voters"]
    verdicts = pd.concat(
        both.assign(verdict=verdict, count=counts[:, place])
        for place, verdict in enumerate(courses.vocabulary)
    )
    grid = pairs(both, keys, SIDE, [MAJORITY])
    grid = grid.merge(pd.DataFrame({"verdict": courses.vocabulary}), how="cross")
    return differences(
        grid[[*keys, "verdict", "value", "against"]],
        SIDE,
        Terms(verdicts, [*keys, "verdict", SIDE]),
        Terms(both, [*keys, SIDE]),
        Terms(short, keys),
        Terms(courses.lost(heard=True), by),
        grain=GRAIN,
    )


def same(courses: Courses, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """The share of debates with consensus that decide as a majority of as many solo answers would.

    Keys: those of `by`; voters. The numerator is the expected number, over all samples of the solo answers.
    `unreadable` as in `verdicts`.
    """
    courses = courses.begun
    rows, short, chances = _matched(courses)
    own = rows["verdict"].cat.codes.to_numpy(np.int64)[:, None]
    agreed = solo.units(np.take_along_axis(chances, own, axis=1)[:, 0]) * rows["count"]
    keys = [*by, "voters"]
    return estimated(
        groups(keys, rows, short).sort_values(keys),
        Terms(rows.assign(count=agreed), keys),
        Terms(rows, keys),
        Terms(short, keys),
        Terms(courses.lost(heard=True), by),
        EMPTY,
        grain=GRAIN,
    )


def _matched(courses: Courses) -> tuple[pd.DataFrame, pd.DataFrame, Floats]:
    """Decisions with each of their voters, those without enough solo answers, and for the former how
    probable it is that each verdict has the majority of as many solo answers as there were calls."""
    urns = solo.answered(courses)
    given = np.vstack([urns.counts, np.zeros_like(urns.counts[:1], shape=(1, len(courses.vocabulary)))])
    made = decided(courses)
    slots = heard(courses)
    slots = slots[slots["foremost"] & slots["course"].isin(made["course"])]
    counts = given[urns.find(solo.with_own_steering(courses, slots))]
    by_row = pd.DataFrame(counts, index=slots["row"])
    whole = by_row.groupby(level=0).sum().mul(by_row.any(axis=1).groupby(level=0).all(), axis=0)
    panels = slots.drop_duplicates("row").sort_values("row")
    rows = pd.concat([slots.assign(voters=slots["model"].astype("str")), panels.assign(voters=PANEL)])
    counts = np.vstack([counts, whole.to_numpy()])
    calls = outcomes.turns(courses.verdicts)[rows["course"]]
    rows = rows.assign(
        voters=rows["voters"].astype("category"),
        verdict=named(courses, outcomes.consensus_verdict(courses.verdicts)[rows["course"]]),
    )
    enough = counts.sum(axis=1) >= calls
    return rows[enough], rows[~enough], winning(counts[enough], calls[enough])
