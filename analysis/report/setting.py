"""What the report is told of a run that its tables do not hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True, slots=True)
class Setting:
    """The experiment of a run, in words.

    `name` is the experiment's. `models` has a row for each model and columns of text, the first of them
    `model`. `facts` are sentences on what holds for all debates; `unfinished` say what is still to be played,
    none where all is.
    """

    name: str
    models: pd.DataFrame
    facts: Sequence[str] = ()
    unfinished: Sequence[str] = ()
