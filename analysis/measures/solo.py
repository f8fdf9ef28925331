"""What the models of a panel say alone: the baselines without any debate.

A seat is compared with the solo answers of its model to the same case, in the same answer format, under the
steering that the seat has; where none were asked under it, under `none`, which is what a seat alone is
told by the steerings that speak of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.bootstrap import Floats
from analysis.courses import ONCE, SILENT, UNREADABLE, Courses, Numbers
from analysis.estimates import Terms, estimated, lookup
from analysis.measures.distribution import named
from analysis.measures.majority import winning

GRAIN = 2**30
"""Probabilities are added up in units of 1 / GRAIN, so that sums are exact in any order."""

UNSTEERED = "none"

SIDE, DEBATE = "side", "debate"
"""The column that tells debates from solo answers, and what it holds for debates."""

SIZES = (1, 3, 5)
"""Of how many solo answers a majority is told; that of one is the solo baseline."""

KEYS = ("answer_format", "steering", "model")
SHORT = "no case with so many readable solo answers"


@dataclass(frozen=True)
class Urns:
    """The readable solo answers to each case: `keys` with columns `KEYS` and case_id, `counts` by verdict."""

    keys: pd.DataFrame
    counts: Numbers

    def find(self, slots: pd.DataFrame) -> Numbers:
        """The number of the urn of each slot; one past the last where there is none."""
        kinds = slots[list(KEYS)].drop_duplicates()
        asked = self.keys[list(KEYS)].drop_duplicates()
        own = lookup(kinds, asked, KEYS) < len(asked)
        kinds = kinds.assign(told=kinds["steering"].astype("str").where(own, UNSTEERED).astype("category"))
        told = slots.merge(kinds, on=list(KEYS), how="left")["told"].array
        return lookup(slots.assign(steering=told), self.keys, [*KEYS, "case_id"])


def estimate(courses: Courses, sizes: Sequence[int] = SIZES) -> pd.DataFrame:
    """Self-consistency: the verdict of the majority of some solo answers, expected over all samples of them.

    Keys: answer_format, steering, model; answers, how many are drawn, of `sizes`; verdict. The estimate is
    the mean over cases with so many readable answers of the probability that the verdict wins, see
    `majority.winning`. `unreadable` are solo answers; `failed` are solo debates of any model. Solo answers
    are those of the protocol `majority`, too, which are asked for in the same words.
    """
    urns = answered(courses)
    keys = [*KEYS, "answers"]
    rows = pd.concat(_majorities(courses, urns, size) for size in sizes)
    cases = rows[rows["verdict"] == courses.vocabulary[0]].assign(count=1)
    asked = urns.keys[list(KEYS)].drop_duplicates().sort_values(list(KEYS))
    told = pd.MultiIndex.from_product([sizes, courses.vocabulary], names=["answers", "verdict"])
    alone = _answers(courses)
    lost = alone[alone["code"] == UNREADABLE]
    return estimated(
        asked.merge(told.to_frame(index=False), how="cross"),
        Terms(rows, [*keys, "verdict"]),
        Terms(cases, keys),
        Terms(lost, KEYS),
        Terms(courses.failed[courses.failed["protocol"].isin(ONCE)], KEYS[:1]),
        SHORT,
        grain=GRAIN,
    )


def answered(courses: Courses) -> Urns:
    """The readable solo answers of a run."""
    alone = _answers(courses)
    given = alone.assign(verdict=named(courses, alone["code"].to_numpy()))[alone["code"] >= 0]
    counts = given.groupby([*KEYS, "case_id", "verdict"], observed=True)["count"].sum().unstack(fill_value=0)
    keys = counts.index.to_frame(index=False).astype("str")
    return Urns(keys, counts.reindex(columns=list(courses.vocabulary), fill_value=0).to_numpy(np.int64))


def solo_slots(courses: Courses) -> pd.DataFrame:
    """The slots of debates of independent answers, with the steering of the seat itself."""
    slots = courses.slots
    return with_own_steering(courses, slots[slots["protocol"].isin(ONCE)])


def _answers(courses: Courses) -> pd.DataFrame:
    """Every answer given alone: its slot, and its `code`, a place of the vocabulary or `UNREADABLE`."""
    alone = solo_slots(courses)
    said = courses.verdicts[alone["course"], :, alone["place"]]
    rounds = [alone.assign(code=said[:, round]) for round in range(said.shape[1])]
    every = pd.concat(rounds, ignore_index=True)
    return every[every["code"] != SILENT]


def with_own_steering(courses: Courses, slots: pd.DataFrame) -> pd.DataFrame:
    """Slots of which `steering` is that of the seat instead of the panel."""
    keys = ["seating", "place", "steering"]
    kinds = slots[keys].drop_duplicates()
    own = [
        _own(courses.seatings[seating][0], place, str(steering))
        for seating, place, steering in kinds.itertuples(index=False, name=None)
    ]
    found = slots.merge(kinds.assign(own=pd.Categorical(own)), on=keys, how="left")
    return slots.assign(steering=found["own"].array)


def units(chances: Floats) -> Numbers:
    """Probabilities in whole units of 1 / GRAIN."""
    whole: Numbers = np.rint(chances * GRAIN).astype(np.int64)
    return whole


def sides(rows: pd.DataFrame, alone: str) -> pd.DataFrame:
    """The rows twice: under `SIDE` first as what the debate did, then as what solo answers would do."""
    kinds = (DEBATE, alone)
    twice: pd.DataFrame = pd.concat([rows, rows])
    return twice.assign(**{SIDE: pd.Categorical(np.repeat(kinds, len(rows)), kinds)})


def _own(seats: Sequence[str], place: int, steering: str) -> str:
    """The steering of a seat: that at its place on the panel, which its name tells."""
    panel = sorted(seats, key=lambda name: (len(name), name))
    told = steering.split("+")
    return told[panel.index(seats[place])] if len(told) == len(seats) else steering


def _majorities(courses: Courses, urns: Urns, size: int) -> pd.DataFrame:
    """For every case and verdict the probability that it wins, in units of 1 / GRAIN."""
    enough = urns.counts.sum(axis=1) >= size
    keys, counts = urns.keys[enough], urns.counts[enough]
    chances = units(winning(counts, np.full(len(counts), size)))
    won: list[pd.DataFrame] = [
        keys.assign(answers=size, verdict=verdict, count=chances[:, place])
        for place, verdict in enumerate(courses.vocabulary)
    ]
    return pd.concat(won)
