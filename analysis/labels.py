"""Labels as tallies count them: what was read, and what could not be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from protocols.answer_format import VERDICTS

UNREADABLE = "(unreadable)"
"""The item of a label that could not be read."""


def items(labels: pd.Series[Any]) -> pd.Series[Any]:
    """The items of labels that come as categories, null where unreadable."""
    return labels.cat.add_categories([UNREADABLE]).fillna(UNREADABLE)


def due(seen: Iterable[str]) -> list[str]:
    """All labels a row is due: the five verdicts, or for questions those that were given."""
    given = set(seen)
    return list(VERDICTS) if given <= set(VERDICTS) else sorted(given)
