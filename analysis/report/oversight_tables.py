"""The tables of oversight studies that are no frames of estimates: heterogeneity, beliefs, and the bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd

from analysis.oversight.decomposition import VACUOUS as LEAST
from analysis.report.conditions import Conditions
from analysis.report.frame import Record, conditions
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import ALL, probability
from analysis.report.units import INDEX, PERCENT, POINTS, count

VACUOUS = "vacuous"
"""What stands for a bound that says nothing."""

FACTORS = ("a", "r", "f", "g", "d", "s", "q", "h")
UNANSWERED = ("u", "z")
"""The factors of the identity: those of debates with answers, and of debates in which a seat has none."""


def heterogeneity(name: str, pooled: pd.DataFrame) -> Table:
    """How far the differences of conditions vary."""
    rows = [
        [
            Cell(f"{row['value']} less {row['against']}".replace("_", "-")),
            Cell(f"{row['sees']}, {row['answers']}"),
            Cell(count(row["in_random"])),
            Cell(POINTS.number(row["tau2"] ** 0.5).removeprefix("+")),
            Cell(PERCENT.number(row["i2"])),
            Cell(INDEX.number(row["q"])),
            Cell(probability(row["q_p"])),
        ]
        for row in pooled.to_dict("records")
    ]
    caption = (
        "How far differences vary between conditions beyond chance: tau, their standard deviation, in points;"
        " I², the share of what varies that is beyond chance, in percent; Cochran's Q with its p."
    )
    heads = ["difference", "judges see and answer with", "conditions", "tau", "I²", "Q", "p"]
    return Table(name, caption, heads, 2, [Group("", rows)], pooled)


def bound(name: str, factors: pd.DataFrame, names: Conditions) -> Table:
    """The lower bound beside the accuracy."""
    caption = (
        "Accuracy and the bound below it, (1 − eps_agr)(1 − 8 beta_C), in percent; it takes beta_C of the"
        f" last turns and is {VACUOUS} from 1/8 on."
    )
    heads = ["condition", "judge", "accuracy, %", "follows, %", "beta_C", "bound, %", "instances"]
    return _table(name, caption, heads, factors, names, _bound)


def identity(name: str, factors: pd.DataFrame, names: Conditions) -> Table:
    """The factors of the identity; those of debates without answers where there are any."""
    some = bool((factors["u"] > 0).any())
    shown = (*FACTORS, *UNANSWERED * some)
    caption = (
        "What accuracy is made of, in percent: a (r f + (1 − r) g) + d (s q + (1 − s) h)"
        f"{' + u z' * some}. a: consultants end on one answer; r: it is right; f: the judge follows a right"
        " one; g: it departs from a wrong one to the right answer; d: consultants differ; s: the judge takes"
        " a side; q: the right one; h: it takes none and is right"
    )
    without = "; u: a seat has no answer; z: the judge is right nevertheless" * some
    heads = ["condition", "judge", *shown, "sum"]
    return _table(name, f"{caption}{without}.", heads, factors, names, partial(_factors, shown))


def _bound(row: Record) -> list[Cell]:
    said = VACUOUS if row["beta"] >= LEAST else PERCENT.number(row["bound"])
    return [
        Cell(PERCENT.number(row["accuracy"])),
        Cell(PERCENT.number(row["followed"])),
        Cell(INDEX.number(row["beta"])),
        Cell(said),
        Cell(count(row["instances"])),
    ]


def _factors(shown: Sequence[str], row: Record) -> list[Cell]:
    return [Cell(PERCENT.number(row[factor])) for factor in (*shown, "composed")]


def _table(
    name: str,
    caption: str,
    heads: Sequence[str],
    frame: pd.DataFrame,
    names: Conditions,
    cells: Callable[[Record], list[Cell]],
) -> Table:
    groups: dict[str, list[Row]] = {}
    for heading, rest, records in conditions(frame, names):
        for row in records:
            named = [Cell(", ".join(rest) or ALL), Cell(f"{row['judge']}, {row['sees']}, {row['answers']}")]
            groups.setdefault(heading, []).append([*named, *cells(row)])
    return Table(name, caption, heads, 2, [Group(label, rows) for label, rows in groups.items()], frame)
