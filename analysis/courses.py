"""The course of a debate: which verdict each seat gave in each round.

All measures of verdicts are functions of it, so debates are tallied by their course and nothing else of them
is kept. There are far fewer courses than debates: a measure is worked out once for each course, and then
holds for every debate that took it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from analysis.failures import failed
from analysis.labels import due
from analysis.tally import CONDITION, pick
from protocols.sections import ARGUING

Codes = NDArray[np.int16]
Numbers = NDArray[np.int64]

RESOLUTION = "disagreement_resolution"
"""The protocol in which an answer stands until the seat gives another that is admitted."""

ORIGIN = "after"
"""The parameter that tells what a debate goes on from."""

OUTSIDE = "outside"
"""The violation of giving an answer that is not admitted there."""

ONCE = ("solo", "majority")
"""Protocols of answers that are given once and alone."""

ALONE = (*ONCE, "reask")
"""Protocols in which no seat hears another."""

PLANTED = "planted"
"""The measure that counts debates with a planted verdict."""

UNREADABLE, SILENT = -1, -2
"""What stands for a turn that could not be read, and for one that was not taken."""

_KEYS = (*CONDITION, "case_id")


@dataclass(frozen=True)
class Courses:
    """The courses of the debates of a run, and what failed.

    `rows` has the columns of `CONDITION` and case_id as categories, n_seats, `count`, how many debates they
    are, and two numbers: `course`, a place in `verdicts`, and `seating`, a place in `seatings`. `verdicts`
    is an array of courses by rounds by seats of places in `vocabulary`, or `UNREADABLE` or `SILENT`; seats
    stand in the order in which they speak. A seating is the names of the seats in that order, and their
    models. `failed` is the tally of failed debates, with those keys as categories too.
    """

    rows: pd.DataFrame
    verdicts: Codes
    seatings: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    vocabulary: tuple[str, ...]
    failed: pd.DataFrame

    def of_cases(self, ids: Collection[str]) -> Courses:
        """Only the debates of some cases, finished and failed."""
        rows, lost = (frame[frame["case_id"].isin(list(ids))] for frame in (self.rows, self.failed))
        return replace(self, rows=rows, failed=lost)

    @cached_property
    def begun(self) -> Courses:
        """Only the debates that go on from no other.

        Which of others there are may be decided by what was said before, and their first round is of that.
        """
        rows, lost = (frame[_begun(frame["variant"])] for frame in (self.rows, self.failed))
        return replace(self, rows=rows, failed=lost)

    @property
    def panels(self) -> pd.DataFrame:
        """The rows of debates with at least two seats."""
        return self.rows[self.rows["n_seats"] >= 2]

    def lost(self, heard: bool = False) -> pd.DataFrame:
        """The failed debates with at least two seats, or of those only where seats hear each other."""
        panels = self.failed[self.failed["n_seats"] >= 2]
        return panels[~panels["protocol"].isin(ALONE)] if heard else panels

    @cached_property
    def slots(self) -> pd.DataFrame:
        """The rows once for each seat.

        Adds `row`, a number for the row; `place`, that of the seat in the speaking order, from 0; `seat`;
        `model`; `predecessor`, the model that speaks before it in a round, "" for the first; `opponents`,
        the models of the other seats, sorted and joined by "+"; and `foremost`, whether no seat before it
        has its model. Strings are categories.
        """
        seated = pd.DataFrame(
            [
                (number, place, seat, models[place], models[place - 1] if place else "", others, foremost)
                for number, (seats, models) in enumerate(self.seatings)
                for place, seat in enumerate(seats)
                for others in ["+".join(sorted(models[:place] + models[place + 1 :]))]
                for foremost in [models[place] not in models[:place]]
            ],
            columns=["seating", "place", "seat", "model", "predecessor", "opponents", "foremost"],
        )
        names = ["seat", "model", "predecessor", "opponents"]
        rows = self.rows.assign(row=np.arange(len(self.rows)))
        kinds = {"place": "int64", "foremost": "bool"}
        return rows.merge(_categories(seated, names), on="seating").astype(kinds)

    def alike(self, slots: pd.DataFrame, events: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Whether an event, courses by seats, came about in any seat of the same model, for each slot."""
        most = events.shape[1]
        twins = np.zeros((len(self.seatings), most, most), bool)
        for number, (_, models) in enumerate(self.seatings):
            names = np.array(models)
            twins[number, : len(names), : len(names)] = names[:, None] == names[None, :]
        either = events[slots["course"]] & twins[slots["seating"], slots["place"]]
        anyone: NDArray[np.bool_] = either.any(axis=1)
        return anyone


def read(tallies: pa.Table) -> Courses:
    """The courses that merged tallies hold."""
    rows, lost = pick(tallies, "course"), failed(tallies)
    left_out = lost["protocol"].isin(ARGUING) | confederates(lost["variant"])
    lost = lost[~left_out].reset_index(drop=True)
    places, items = pd.factorize(rows["item"])
    written = [json.loads(item) for item in items]
    vocabulary = tuple(due(name for course in written for said in course for name in said if name))
    seats, seatings = pd.factorize(rows["seat"] + "|" + rows["model"])
    both = _categories(
        pd.concat([rows, lost], ignore_index=True)[[*_KEYS, "n_seats", "item", "count"]], _KEYS
    )
    numbered = both[: len(rows)].drop(columns="item").assign(course=places, seating=seats)
    return Courses(
        rows=numbered,
        verdicts=_coded(written, vocabulary),
        seatings=tuple(
            (tuple(seat.split("+")), tuple(model.split("+")))
            for seat, model in (seating.split("|") for seating in seatings)
        ),
        vocabulary=vocabulary,
        failed=both[len(rows) :].reset_index(drop=True),
    )


def confederates(variants: pd.Series[Any]) -> pd.Series[bool]:
    """Whether debates have a seat whose verdict is planted, by the parameters of their protocol."""
    planted = {one: "planted" in json.loads(one or "{}") for one in variants.dropna().unique()}
    return variants.map(planted).eq(True)


def _begun(variants: pd.Series[str]) -> NDArray[np.bool_]:
    """Whether variants are of debates that go on from no other: these name it."""
    own = {one: ORIGIN not in json.loads(one or "{}") for one in variants.astype("object").unique()}
    found: NDArray[np.bool_] = variants.astype("object").map(own).to_numpy(bool)
    return found


def _coded(written: Sequence[list[list[str | bool | None]]], vocabulary: Sequence[str]) -> Codes:
    """Courses as one array; what is past the end of a course is silent."""
    rounds = max(map(len, written), default=1)
    seats = max((len(course[0]) for course in written), default=1)
    codes = np.full((len(written), rounds, seats), SILENT, np.int16)
    number: dict[str | bool | None, int] = {name: place for place, name in enumerate(vocabulary)}
    number |= {None: UNREADABLE, False: SILENT}
    for place, course in enumerate(written):
        codes[place, : len(course), : len(course[0])] = [[number[name] for name in said] for said in course]
    return codes


def _categories(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The frame with these columns as categories, sorted."""
    return frame.assign(**{name: frame[name].astype("category") for name in names})
