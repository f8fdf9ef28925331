"""Consensus in round 1 against the agreement of answers given alone.

What models would agree on without any debate is the baseline of their consensus: in `synchronous` round 1
should not differ from it, in `round_robin` later speakers have heard earlier ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis import outcomes
from analysis.bootstrap import Floats
from analysis.contrast import differences, pairs
from analysis.courses import Courses, Numbers
from analysis.estimates import Terms
from analysis.measures import solo
from analysis.measures.change import heard
from analysis.measures.solo import GRAIN, SIDE
from analysis.tally import CONDITION

APART = "solo answers"


def estimate(courses: Courses, by: Sequence[str] = CONDITION) -> pd.DataFrame:
    """The share of debates with consensus in round 1 less the expected agreement of solo answers.

    Keys: those of `by`; value, which is "debate"; against, which is "solo answers": the probability that one
    readable solo answer for each seat, drawn without replacement where seats have one model, all give one
    verdict. Debates of which a seat has no solo answer to draw are in neither; they count as unreadable.
    Debates that go on from others are not there: they begin with answers that were given before.
    """
    courses = courses.begun
    slots = heard(courses)
    debates = slots[slots["place"] == 0]
    chances = _all_alike(_drawn_from(courses, slots), solo.answered(courses).counts)[debates["row"]]
    known = ~np.isnan(chances)
    rows = debates[known]
    together = outcomes.consensus_round(courses.verdicts)[rows["course"]] == 1
    both = solo.sides(rows, APART)
    counts = both["count"] * solo.units(np.concatenate([together, chances[known]]))
    return differences(
        pairs(both, by, SIDE, [APART]),
        SIDE,
        Terms(both.assign(count=counts), [*by, SIDE]),
        Terms(both, [*by, SIDE]),
        Terms(debates[~known], by),
        Terms(courses.lost(heard=True), by),
        grain=GRAIN,
    )


def _drawn_from(courses: Courses, slots: pd.DataFrame) -> Numbers:
    """The urn of each seat, debates by places: one past the last where it has none, -1 where no seat is."""
    urns = np.full((len(courses.rows), courses.verdicts.shape[2]), -1)
    found = solo.answered(courses).find(solo.with_own_steering(courses, slots))
    urns[slots["row"], slots["place"]] = found
    return urns


def _all_alike(urns: Numbers, counts: Numbers) -> Floats:
    """How probable it is that one answer from each urn of a row is the same; null where one is empty."""
    distinct, place = np.unique(urns, axis=0, return_inverse=True)
    held = np.vstack([counts, np.zeros((1, counts.shape[1]), np.int64)])
    chances = np.ones((len(distinct), counts.shape[1]))
    for seat in range(urns.shape[1]):
        own = distinct[:, [seat]]
        taken = (distinct[:, :seat] == own).sum(axis=1, keepdims=True)
        left = np.maximum(held[own[:, 0]] - taken, 0)
        total = held[own[:, 0]].sum(axis=1, keepdims=True) - taken
        drawn = np.where(total > 0, left / np.where(total > 0, total, 1), np.nan)
        chances *= np.where(own < 0, 1, drawn)
    alike: Floats = chances.sum(axis=1)[place.reshape(-1)]
    return alike
