"""Two runs of one design as a page: what is in both, and how they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

import pandas as pd
import pyarrow as pa

from analysis import courses
from analysis.estimates import plain as uncategorised
from analysis.measures import comparison
from analysis.report.conditions import Conditions
from analysis.report.document import Document, Exhibit, Section
from analysis.report.errors import NothingInCommon
from analysis.report.exhibits import About, exhibit
from analysis.report.frame import conditions
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import ALL
from analysis.report.two_runs import RUNS, Compare, compared, matched
from analysis.report.units import several
from analysis.report.view import View
from analysis.report.views import VIEWS
from analysis.tally import CONDITION, groups


@dataclass(frozen=True, slots=True)
class Side:
    """One of two runs: how it is called, its merged tallies, and what of it is not finished."""

    run: str
    tallies: pa.Table
    unfinished: Sequence[str] = ()

    @property
    def conditions(self) -> pd.DataFrame:
        """The conditions of its debates."""
        return groups(CONDITION, uncategorised(courses.read(self.tallies).rows))

    @property
    def cases(self) -> set[str]:
        """The cases of its debates."""
        return set(courses.read(self.tallies).rows["case_id"])


SAME = "This run has no debate of two seats or more in a condition of the other."

COMPARED: tuple[tuple[About, Compare, View], ...] = (
    (
        About(
            "consensus",
            "Consensus by round",
            "The share of debates whose first round with consensus is this one.",
            "arXiv 2510.10002, Figures 2a, 2c and 8",
            SAME,
        ),
        comparison.consensus,
        VIEWS["steering_consensus"],
    ),
    (
        About(
            "change",
            "Change of verdict",
            "The share of debates in which a later verdict of a seat differs from its first (changed), or"
            " its last one does (ended).",
            "arXiv 2510.10002, Figures 2b, 2d and 10",
            SAME,
        ),
        comparison.changes,
        VIEWS["steering_change"],
    ),
    (
        About(
            "agreed",
            "What panels agree on",
            "The share of each verdict among debates with consensus.",
            "arXiv 2510.10002, Figure 9",
            SAME,
        ),
        comparison.verdicts,
        VIEWS["order_agreed"],
    ),
)
"""The measures that are compared."""

COMPARED_ONLY = (
    "Compared are consensus by round, change of verdict, and what panels agree on: shares of debates, paired"
    " by case. Not compared are effects of order, steering and panel, change of the verdict distribution, and"
    " solo answers against debates, which are differences already; values and judges' decisions, as judges"
    " and passes of two runs need not be the same; and verdicts by model and round, first-round agreement by"
    " position and what was read and lost, which have no pairs. The reports of both runs have all of these."
)
"""Which measures are compared, and why no others."""


def compare(
    one: Side,
    other: Side,
    different: Sequence[str],
    measures: Sequence[tuple[About, Compare, View]] = COMPARED,
) -> Document:
    """The page of two runs, A and B. `different` says how their designs differ, a line each.

    Raises `NothingInCommon` where no condition, or no case, is in both.
    """
    told = matched(one.conditions, other.conditions)
    _refuse(one, other, told)
    names = Conditions(told[list(CONDITION)])
    exhibits = []
    for about, measure, view in measures:
        frame = compared(one.tallies, other.tallies, measure)
        exhibits.append(exhibit(about, frame, view, names))
    sections = [
        _designs(one, other, different, told, names),
        Section("differences", "Differences, B less A", [COMPARED_ONLY], exhibits),
    ]
    lead = (
        f"Run A is {one.run}, run B is {other.run}. Every difference is B less A, paired by case: only"
        " conditions and cases of both count. Intervals are 95%, by bootstrap over cases."
    )
    return Document(
        "Comparison of two runs",
        f"{_name(one.run)} and {_name(other.run)} compared",
        [lead],
        sections,
        [f"Made by moot {version('moot')}."],
    )


def _name(run: str) -> str:
    """The last part of where a run is."""
    return run.rstrip("/").rpartition("/")[2]


def _refuse(one: Side, other: Side, told: pd.DataFrame) -> None:
    if not one.cases & other.cases:
        raise NothingInCommon(
            f"{one.run} and {other.run} have no case in common; expected two runs of one design on the same"
            " cases"
        )
    if "both" not in set(told["run"]):
        raise NothingInCommon(
            f"{one.run} and {other.run} have no condition in common ({len(one.conditions)} and"
            f" {len(other.conditions)} conditions); expected two runs of one design: the same panels,"
            " protocols, orders, steerings and answer formats"
        )


def _designs(
    one: Side, other: Side, different: Sequence[str], told: pd.DataFrame, names: Conditions
) -> Section:
    shared = len(one.cases & other.cases)
    alone = ", ".join(
        f"{several(len(side.cases) - shared, 'case')} only in {name}"
        for name, side in zip(RUNS, (one, other), strict=True)
    )
    text = [f"{several(shared, 'case')} in both, {alone}."]
    for name, side in zip(RUNS, (one, other), strict=True):
        text += [f"Run {name}: {said}" for said in side.unfinished]
    if different:
        text.append("The designs differ, and differences below may come of it (was: run A, is: run B):")
        text += [f"· {line}" for line in different]
    else:
        text.append("Models, sampling, prompts and seed are the same in both.")
    shown = Exhibit("Conditions", tables=[_conditions(told, names)])
    return Section("designs", "The two designs", text, [shown])


def _conditions(told: pd.DataFrame, names: Conditions) -> Table:
    rows: dict[str, list[Row]] = {}
    for heading, rest, records in conditions(told, names):
        rows.setdefault(heading, []).append([Cell(", ".join(rest) or ALL), Cell(records[0]["run"])])
    return Table(
        "conditions",
        "Conditions, and the run that they are in.",
        ["condition", "run"],
        1,
        [Group(label, found) for label, found in rows.items()],
        told,
    )
