"""For the tests of measures: tallies of debates without Ray, and results cell by cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import pandas as pd
import pyarrow as pa

from analysis.courses import Courses, read
from analysis.summary import COUNTED
from analysis.tally import CONDITION, merge
from protocols.answer_format import VERDICTS
from tests.analysis.synthetic import Debate, Said, table

LETTERS = {verdict[0]: verdict for verdict in reversed(VERDICTS)}
"""N is NTA, Y YTA, E ESH, I INFO."""


def tallied(debates: Sequence[Debate], *tables: str) -> pa.Table:
    """The merged tallies of these tables of the debates, by default of all; each table is one part."""
    return _tallied(tuple(debates), tables or tuple(COUNTED))


@cache
def _tallied(debates: tuple[Debate, ...], tables: tuple[str, ...]) -> pa.Table:
    counting = ((name, *COUNTED[name]) for name in tables)
    return merge(counted(table(debates, name).select(columns)) for name, columns, counted in counting)


def coursed(debates: Sequence[Debate]) -> Courses:
    """The courses of these debates."""
    return read(tallied(debates))


def cells(found: pd.DataFrame) -> dict[tuple[str, ...], pd.DataFrame]:
    """The rows of a result by their condition."""
    return {tuple(map(str, key)): rows for key, rows in found.groupby(list(CONDITION))}


def share_of(row: Any) -> float | None:
    """The share of a row of a result; None where it is null."""
    return None if pd.isna(row.estimate) else float(row.estimate)


def said(*rounds: str) -> tuple[tuple[Said, ...], ...]:
    """Turns from one word per round, a letter per seat: a verdict's first letter, or ? for unreadable.

    A small letter is that of an answer outside those that are admitted.
    """
    return tuple(tuple(_turn(letter) for letter in word) for word in rounds)


def two_seats(*rounds: str, models: Iterable[str] = ("alpha", "beta")) -> Debate:
    """A synchronous debate of two seats."""
    return Debate("d", "synchronous", tuple(models), "1-2", "default", said(*rounds))


def _turn(letter: str) -> Said:
    if letter == "?":
        return Said(None, "missing")
    return Said(LETTERS[letter.upper()], "ok", "outside" if letter.islower() else None)
