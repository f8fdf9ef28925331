"""Which dilemmas are looked at: those on which people, too, were of several minds."""

from __future__ import annotations

import math
from pathlib import Path

import pandas as pd
import pyarrow as pa

from analysis.courses import Courses
from analysis.part import Part, load
from analysis.schema import schema
from analysis.storage import opened
from analysis.tables import parts

COLUMNS = ("case_id", "contestation")
"""What is read of `cases`. Contestation is the entropy of the verdicts that people gave, in bits: 0 where all
gave the same, at most the binary logarithm of the number of verdicts."""


def contestation(run: str | Path) -> pd.Series[float]:
    """The contestation of each case of a run by its id; null where the case file tells none.

    Raises `tables.RunNotFound`, or `part.PartError` for a part that is torn or foreign.
    """
    files, _ = opened(run)
    empty = pa.schema([schema("cases").field(name) for name in COLUMNS]).empty_table()
    found = [load(files, Part("cases", path), COLUMNS) for path in parts(run, "cases")]
    cases: pd.DataFrame = pa.concat_tables([empty, *found]).to_pandas()
    return cases.set_index("case_id")["contestation"]


def contested(
    courses: Courses, entropy: pd.Series[float], least: float = 0.0, most: float = math.inf
) -> Courses:
    """The debates of cases with a contestation from `least` to `most` bits; a case without one is in none."""
    return courses.of_cases(entropy.index[entropy.between(least, most)])
