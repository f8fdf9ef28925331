"""Data sets: which questions of a study are of one, and what is told by them."""

from __future__ import annotations

import pandas as pd

from analysis.oversight.study import Study

SETS = "from two data sets, which the column source of the cases names"
"""What a run must hold for this."""


def of_several(study: Study, found: pd.DataFrame) -> pd.DataFrame:
    """The rows, where questions are from several data sets; else none, as they would say nothing new."""
    return found if study.judged["source"].nunique() > 1 else found[:0]
