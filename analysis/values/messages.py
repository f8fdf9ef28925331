"""Messages of one condition, as matrices by case: what the use of values is estimated from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.values import usage
from analysis.values.counted import Counted, Rows, dense, together, totals
from analysis.values.frames import Lost
from analysis.values.sets import Ints

ROUNDS = {"all": usage.ROUNDS, "1": usage.ROUNDS[:1]}
"""Rounds whose messages count: all, or the first alone."""


@dataclass(frozen=True, slots=True)
class Cells:
    """Whose messages are counted together: those of a model, or of a model with one verdict.

    `table` has the number of the cell by model and verdict (0: unreadable), -1 where there is none.
    """

    keys: pd.DataFrame
    table: Ints

    def __len__(self) -> int:
        return len(self.keys)

    def of(self, rows: Rows) -> Ints:
        """The cell of each row of sums; -1 for one in none."""
        return np.asarray(self.table[rows.one, rows.item], np.int64)


@dataclass(frozen=True, slots=True)
class Messages:
    """Messages with one labelling: uses by case, cell and value; all by case and cell; and what is lost."""

    uses: Ints
    all: Ints
    lost: Lost


def cells(counted: Counted, designs: Sequence[int], rounds: str, verdicts: bool = False) -> Cells:
    """The models that speak in these designs, or each with the verdicts that it gives."""
    if rounds not in ROUNDS:
        raise ValueError(f"rounds is {rounds!r}; it may be {', '.join(ROUNDS)}")
    spoken = together(
        counted.rows(f"{what} {own}", name, designs)
        for what in (usage.MESSAGES, usage.UNREADABLE, usage.UNLABELLED)
        for own in ROUNDS[rounds]
        for name, _, _ in counted.labellings
    )
    models, items = counted.names["one"], counted.names["item"]
    table = np.full((len(models), len(items)), -1)
    table[spoken.one, spoken.item] = 0
    if not verdicts:
        speaking = np.flatnonzero((table == 0).any(axis=1))
        table[speaking] = np.arange(len(speaking))[:, None]
        return Cells(pd.DataFrame({"model": [models[one] for one in speaking]}, dtype="str"), table)
    table[:, [place for place, item in enumerate(items) if not item]] = -1
    pairs = np.argwhere(table == 0)
    table[pairs[:, 0], pairs[:, 1]] = np.arange(len(pairs))
    named = [(models[one], items[item]) for one, item in pairs]
    return Cells(pd.DataFrame(named, columns=["model", "verdict"], dtype="str"), table)


def messages(
    counted: Counted, labelling: str, designs: Sequence[int], within: Cells, rounds: str
) -> Messages:
    """The messages of these designs in the cells, with one labelling."""

    def rows(what: str) -> Rows:
        return together(counted.rows(f"{what} {own}", labelling, designs) for own in ROUNDS[rounds])

    uses, said = rows(usage.USES), rows(usage.MESSAGES)
    cases, values = counted.cases, len(counted.values)
    lost = [rows(what) for what in (usage.UNREADABLE, usage.UNLABELLED)]
    unreadable, unlabelled = (np.repeat(totals(one, within.of(one), len(within)), values) for one in lost)
    return Messages(
        uses=dense(uses, within.of(uses), len(within), cases, values),
        all=dense(said, within.of(said), len(within), cases),
        lost=(unreadable, unlabelled),
    )
