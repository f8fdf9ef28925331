"""The summary of a run as tables for a terminal, or for a pipe 100 columns wide."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from analysis.distribution import WHEN
from analysis.readings import STATUSES
from analysis.summary import Summary
from analysis.tally import CONDITION

BLOCKS = (("█", "cyan"), ("▓", "magenta"), ("▒", "yellow"), ("░", "green"), ("·", "blue"))
"""How each verdict is drawn in a bar, by its place among the columns; without colours too."""

BAR = 16
"""Characters of a bar."""


def render(summary: Summary) -> Group:
    """Everything a summary holds, one table below the other; tables without rows are left out."""
    shown: list[RenderableType] = [_head(summary)]
    makers: list[tuple[pd.DataFrame, Callable[[Summary], Table]]] = [
        (summary.consensus, _consensus),
        (summary.change, _change),
        (summary.verdicts, _verdicts),
        (summary.readings, _readings),
        (summary.models, _models),
        (summary.failures, _failures),
    ]
    shown += [make(summary) for frame, make in makers if not frame.empty]
    return Group(*shown)
