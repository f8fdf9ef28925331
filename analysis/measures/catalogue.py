"""All measures of verdicts: what each is called, how it is defined, and where it is from."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pandas as pd

from analysis import course_tally, courses, failures, turns
from analysis.counting import Connect, Counted, tallied
from analysis.courses import Courses
from analysis.measure import Measure
from analysis.measures.of_debates import DEBATES
from analysis.measures.of_designs import DESIGNS
from analysis.measures.of_solo import SOLO
from analysis.outcomes import Missing

VerdictMeasure = Measure[[Courses, Missing]]

VERDICTS: tuple[VerdictMeasure, ...] = (*DEBATES, *DESIGNS, *SOLO)
"""Every measure of verdicts, in the order of a report."""

COUNTED: dict[str, Counted] = {
    "turns": (turns.COLUMNS, lambda rows: course_tally.count(turns.frame(rows))),
    "failures": (failures.COLUMNS, failures.count),
}
"""The tables that measures of verdicts read."""


def verdict_measures(
    run: str | Path, missing: Missing = "disagree", connect: Connect = nullcontext
) -> dict[str, pd.DataFrame]:
    """All of `VERDICTS` by name, from one pass over the parts of a run; as `counting.tallied` does it."""
    found = courses.read(tallied(run, COUNTED, connect))
    return {measure.name: measure.estimate(found, missing) for measure in VERDICTS}
