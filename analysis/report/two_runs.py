"""Two runs of one design as one: what each measure compares is then which run a debate is of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis import courses
from analysis.courses import Courses
from analysis.tally import CONDITION, TALLY, merge

RUNS = ("A", "B")
"""What the two runs are called; differences are B less A."""

Compare = Callable[[Courses, str], pd.DataFrame]
"""A measure that compares conditions that differ in one column, which is the second argument."""


def both(one: pa.Table, other: pa.Table, stage: str) -> Courses:
    """The debates of one stage of two runs, from merged tallies, with the run in place of the stage."""
    return courses.read(merge(_of(*pair, stage) for pair in zip((one, other), RUNS, strict=True)))


def compared(one: pa.Table, other: pa.Table, compare: Compare) -> pd.DataFrame:
    """The differences of a measure between two runs, in all stages that both have.

    Columns: those of `CONDITION`, then as `compare` gives them, without what is compared with what.
    """
    frames = []
    for stage in _stages(one, other):
        found = compare(both(one, other, stage), "stage").drop(columns=["value", "against"])
        found.insert(0, "stage", stage)
        frames.append(found)
    return pd.concat(frames, ignore_index=True)


def matched(one: pd.DataFrame, other: pd.DataFrame) -> pd.DataFrame:
    """The conditions of both runs, one a row: `CONDITION`, and `run`, which is both, A or B.

    Takes the conditions of each, null as "".
    """
    found = one[list(CONDITION)].merge(other[list(CONDITION)], how="outer", indicator="run")
    names = {"both": "both", "left_only": RUNS[0], "right_only": RUNS[1]}
    return found.assign(run=found["run"].astype("str").map(names))


def _stages(one: pa.Table, other: pa.Table) -> Iterator[str]:
    """The stages with debates in both."""
    there = [set(_debates(tallies)["stage"].unique().to_pylist()) for tallies in (one, other)]
    return iter(sorted(there[0] & there[1]))


def _of(tallies: pa.Table, run: str, stage: str) -> pa.Table:
    """The tallies of one stage, under the name of the run."""
    own = tallies.filter(pc.equal(tallies["stage"], stage))
    at = TALLY.get_field_index("stage")
    return own.set_column(at, TALLY.field(at), pa.array([run] * len(own), pa.string()))


def _debates(tallies: pa.Table) -> pa.Table:
    return tallies.filter(pc.equal(tallies["measure"], "course"))
