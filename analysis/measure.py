"""What a measure is, whatever it is told of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, ParamSpec

import pandas as pd

Asked = ParamSpec("Asked")
"""What an estimate is made from."""

IP = "arXiv 2510.10002"
"""The paper on interaction protocols."""

DR = "arXiv 2607.01251"
"""The paper on disagreement resolution."""

HERE = "not in the paper"
"""The source of what is defined here first."""


@dataclass(frozen=True, slots=True)
class Measure(Generic[Asked]):
    """One table of estimates. `needs` says what a run must hold; without it the table has no rows."""

    name: str
    title: str
    definition: str
    source: str
    needs: str
    estimate: Callable[Asked, pd.DataFrame]
