"""What the report is told of a run that its tables do not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True, slots=True)
class Setting:
    """The experiment of a run, in words.

    `name` is the experiment's. `models` has a row for each model and columns of text, the first of them
    `model`. `facts` are sentences on what holds for all debates; `unfinished` say what is still to be played,
    none where all is. `kept` says by which rule the stages that keep some debates only choose them, by stage.
    """

    name: str
    models: pd.DataFrame
    facts: Sequence[str] = ()
    unfinished: Sequence[str] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
