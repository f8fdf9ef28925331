"""Debates tallied by their course, where their turns were read. `analysis.courses` reads the tallies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from analysis.courses import OUTSIDE, PLANTED, RESOLUTION, SILENT, UNREADABLE, Codes, confederates
from analysis.tally import tally
from analysis.turns import designs
from protocols.sections import ARGUING


def count(turns: pd.DataFrame) -> pa.Table:
    """Tallies debates by their course.

    The item is the course as JSON, a list of rounds that each list a verdict per seat: null where it could
    not be read, false where the seat did not speak. Seats and models, joined by "+", stand in the order
    in which the seats speak in their first round. Debates in which seats argue for a stance have none: what
    a turn stands for there is no verdict of its seat's own. Nor have those with a planted verdict, which is
    the plan's: they are counted as `PLANTED`, and `analysis.causal` reads them. Where a disagreement is to be
    resolved, a turn that cannot be read, or that breaks a rule, leaves the answer before it standing.
    """
    confederate = confederates(turns["variant"])
    drawn = tally(PLANTED, designs(turns[confederate]))
    turns = turns[~(turns["protocol"].isin(ARGUING) | confederate)]
    if turns.empty:
        return drawn
    first = turns.sort_values(["round", "position", "seat"], kind="stable").drop_duplicates("slot")
    first = first.assign(place=first.groupby("debate").cumcount())
    place = first.set_index("slot")["place"]
    debates = designs(turns)
    numbered = pd.Series(range(len(debates)), debates.index)

    size = (len(debates), int(turns["round"].max()), int(place.max()) + 1)
    said = np.full(size, SILENT, np.int16)
    at = (numbered[turns["debate"]], turns["round"] - 1, place[turns["slot"]])
    said[at] = turns["code"].where(turns["violation"] != OUTSIDE).fillna(UNREADABLE)
    lasting = (debates["protocol"] == RESOLUTION).to_numpy()
    said[lasting] = _standing(said[lasting])
    labels = turns["label"].cat.categories.tolist()

    seated = (np.asarray(numbered[first["debate"]]), np.asarray(first["place"]))
    names = {name: _joined(first[name], seated, said[:, 0].shape) for name in ("seat", "model")}
    courses = _each(said, lambda course: _written(course, labels))
    return pa.concat_tables([drawn, tally("course", debates.assign(item=courses, **names))])


def _standing(said: Codes) -> Codes:
    """Answers as they stand after each round: what cannot be read leaves the one before it."""
    stood = said.copy()
    for round in range(1, said.shape[1]):
        left = (stood[:, round] == UNREADABLE) & (stood[:, round - 1] >= 0)
        stood[:, round] = np.where(left, stood[:, round - 1], stood[:, round])
    return stood


def _each(rows: NDArray[np.integer], write: Callable[[NDArray[np.integer]], str]) -> list[str]:
    """What `write` makes of each row, called once for those that are alike."""
    flat = np.ascontiguousarray(rows).reshape(len(rows), -1)
    _, first, place = np.unique(flat, axis=0, return_index=True, return_inverse=True)
    written = np.array([write(rows[row]) for row in first], object)
    return list(written[place.reshape(-1)])


def _written(course: NDArray[np.integer], labels: Sequence[str]) -> str:
    """A course as JSON, without rounds in which nobody spoke and seats that never did."""
    spoken = course != SILENT
    there = course[spoken.any(axis=1)][:, spoken.any(axis=0)]
    named = {UNREADABLE: None, SILENT: False}
    return json.dumps(
        [[labels[code] if code >= 0 else named[code] for code in said] for said in there.tolist()]
    )


def _joined(names: pd.Series[str], at: tuple[NDArray[Any], ...], size: tuple[int, ...]) -> list[str]:
    """The names of each debate in the order of their places, joined by "+"."""
    codes, distinct = pd.factorize(names)
    table = np.full(size, -1, np.int64)
    table[at] = codes
    return _each(table, lambda row: "+".join(distinct[code] for code in row if code >= 0))
