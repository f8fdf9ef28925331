"""A measure of one's own: a function in a file, from the turns of whole debates to a value for each of them.

    def decided(turns):
        \"""Title. What it is, in a sentence or two.\"""
        return a frame with the columns debate_id and value, and perhaps `of`

A debate without a row of some `of` has the value 0 for it; one without any row does not count. What becomes
of the values, their means by condition and the intervals of these, is as with all measures.
"""

from __future__ import annotations

import runpy
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from inspect import cleandoc, signature
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from analysis.counting import Connect, tallied
from analysis.estimates import Terms, estimated
from analysis.measure import Measure
from analysis.measures.catalogue import VerdictMeasure
from analysis.schema import schema
from analysis.tally import CONDITION, DESIGN, groups, pick, tally

GRAIN = 1_000_000
"""Values are summed in whole millionths, so that sums are the same in any order."""

NEEDED = ("debate_id", "value")
OF = "of"
SUM, DEBATES, BETWEEN = "own sum", "own debates", "own values between 0 and 1"
READ = "allowed: def NAME(turns), which returns a frame with the columns debate_id and value, and perhaps of"


class MeasureError(ValueError):
    """A file that holds no such measure, or a measure that returned no such frame."""


@dataclass(frozen=True)
class OwnMeasure:
    """A function `name` of a file, which is called so in messages: `place`."""

    name: str
    place: str
    function: Callable[[pd.DataFrame], pd.DataFrame]

    def values(self, turns: pd.DataFrame) -> pd.DataFrame:
        """Its values for these turns, one row for each debate and `of`. Raises `MeasureError`."""
        try:
            found = self.function(turns)
        except (Exception, SystemExit) as error:
            raise MeasureError(f"{self.place}: {type(error).__name__}: {error}") from error
        if wrong := _wrong(found, turns):
            raise MeasureError(f"{self.place}: {wrong}")
        return found[[*NEEDED]].assign(of=found[OF].astype(str) if OF in found else "")

    def count(self, rows: pa.Table) -> pa.Table:
        """The tallies of its values in some rows of `turns`."""
        turns = plain(rows)
        values = self.values(turns.copy())
        design = turns[["debate_id", *DESIGN]].drop_duplicates("debate_id")
        told = values.merge(design, on="debate_id").rename(columns={OF: "item"})
        summed = told.assign(count=np.rint(told["value"] * GRAIN).astype("int64"))
        between = told[~told["value"].isin((0, 1))]
        each = told.drop_duplicates("debate_id").drop(columns="item")
        return pa.concat_tables([tally(SUM, summed), tally(DEBATES, each), tally(BETWEEN, between)])


def read_measure(file: Path, name: str) -> OwnMeasure:
    """The measure of this name in a file. Raises `MeasureError` with those that there are."""
    place = f"{file}:{name}"
    try:
        held = runpy.run_path(str(file), run_name="own_measure")
    except OSError as error:
        raise MeasureError(f"{place}: cannot be read: {error.strerror}") from None
    except (Exception, SystemExit) as error:
        raise MeasureError(f"{place}: {type(error).__name__}: {error}") from error
    known = {key: each for key, each in held.items() if isinstance(each, FunctionType) and is_measure(each)}
    if name not in known:
        raise MeasureError(
            f"{place}: found no measure '{name}'; it has: {', '.join(known) or 'none'}; {READ}"
        )
    return OwnMeasure(name, place, known[name])


def is_measure(function: FunctionType) -> bool:
    """Whether it is a function of turns that the file itself defines."""
    return function.__module__ == "own_measure" and list(signature(function).parameters) == ["turns"]


def own_measures(run: str | Path, own: OwnMeasure, connect: Connect = nullcontext) -> VerdictMeasure:
    """The measure as a report shows it, computed on the turns of a run. Raises `MeasureError`."""
    found = estimate(tallied(run, {"turns": (tuple(schema("turns").names), own.count)}, connect))
    title, definition = described(own)
    return Measure(
        f"own_{own.name}", title, definition, own.place, "debates that it counts", partial(_as_is, found)
    )


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """The mean of the values in each condition, and of what: a proportion where all of them are 0 or 1."""
    sums, debates = pick(tallies, SUM), pick(tallies, DEBATES)
    keys = [*CONDITION, "item"]
    grid = groups(keys, sums).sort_values(keys, ignore_index=True)
    whole = pick(tallies, BETWEEN).empty
    sums = sums.assign(count=sums["count"] // GRAIN) if whole else sums
    found = estimated(grid, Terms(sums, keys), Terms(debates, CONDITION), grain=None if whole else GRAIN)
    return found.rename(columns={"item": OF})


def described(own: OwnMeasure) -> tuple[str, str]:
    """The first sentence of what it says of itself, and the rest."""
    said = " ".join(cleandoc(own.function.__doc__ or own.name.replace("_", " ").capitalize()).split())
    title, _, rest = said.partition(". ")
    return title.removesuffix("."), rest or "A measure of one's own."


def plain(rows: pa.Table) -> pd.DataFrame:
    """Rows as a frame of plain values."""
    frame: pd.DataFrame = rows.to_pandas()
    named = [name for name, kind in frame.dtypes.items() if isinstance(kind, pd.CategoricalDtype)]
    return frame.astype(dict.fromkeys(named, "object"))


def _wrong(found: Any, turns: pd.DataFrame) -> str:
    """What keeps a result from being the frame that is asked for; "" where nothing does."""
    if not isinstance(found, pd.DataFrame):
        return f"it returned {type(found).__name__}; {READ}"
    if missing := [name for name in NEEDED if name not in found]:
        return f"its frame has no column {' and no '.join(missing)}; {READ}"
    if (
        not pd.api.types.is_numeric_dtype(found["value"])
        or not np.isfinite(found["value"].astype(float)).all()
    ):
        return "a value is no finite number; leave debates out of which there is none"
    if strange := set(found["debate_id"]) - set(turns["debate_id"]):
        return f"it returned the debate {min(strange)!r}, of which it was given no turn"
    keys = ["debate_id", *([OF] if OF in found else [])]
    if found.duplicated(keys).any():
        twice = found.loc[found.duplicated(keys), "debate_id"].iloc[0]
        return f"it returned the debate {twice!r} more than once; allowed: a row for each debate and `of`"
    return ""


def _as_is(found: pd.DataFrame, *_: object) -> pd.DataFrame:
    return found
