"""The debates behind a number, as parameters of the list of debates in the viewer."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any
from urllib.parse import urlencode

import pandas as pd

from analysis.tally import CONDITION

PARAMETERS = {**{name: name for name in CONDITION}, "answer_format": "format", "model": "model"}
"""Columns of estimates, and the filters of the list that they stand for."""

OF_JUDGE = ("stage", "answer_format")


def behind(record: Mapping[Hashable, Any]) -> str:
    """The filters that leave the debates of an estimate: those of its condition, and of its model.

    What an estimate is pooled over is in none of them, and neither is what it counts within a debate, such as
    the round. What a judge said has the stage of the judge and the format it was asked in, which are not
    those of the debate judged, so the debates of all stages are left. "" for no filter.
    """
    own = [name for name in PARAMETERS if "judge" not in record or name not in OF_JUDGE]
    told = {PARAMETERS[name]: record.get(name) for name in own}
    kept = {name: str(value) for name, value in told.items() if not (pd.isna(value) or value == "")}
    return f"?{urlencode(kept)}" if kept else ""
