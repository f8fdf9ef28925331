"""The first section of a report: the design in words and counts."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from analysis.report.conditions import Conditions, members, protocol, steering
from analysis.report.document import Exhibit, Section
from analysis.report.frame import conditions
from analysis.report.setting import Setting
from analysis.report.table import Cell, Group, Row, Table, plain
from analysis.report.tabulated import ALL
from analysis.report.units import count, listed, several

PROTOCOLS = {
    "solo": "In solo every seat answers once, alone.",
    "synchronous": "In synchronous all seats answer at the same time; each has seen all earlier rounds.",
    "round_robin": (
        "In round-robin seats answer one after another; each has also seen who spoke before it in the round,"
        " so the agreement of its round 1 cannot be compared with that of round 1 of synchronous."
    ),
    "consultancy": "In consultancy one seat argues for an answer and hears nobody.",
    "double_consultancy": "In double-consultancy every seat argues for an answer and hears nobody.",
    "debate": "In debate seats argue for the answers that they are given and hear each other.",
    "disagreement_resolution": (
        "In disagreement-resolution seats that differ look for the crux, and retain their answer or adopt the"
        " other's."
    ),
    "hybrid": "In hybrid seats answer at the same time in round 1 and one after another from then on.",
    "majority": "In majority every seat answers several times, alone each time, and most answers decide.",
    "reask": "In reask every seat is asked again in each round and hears nobody.",
}
"""Who sees what."""

PLAYED = ("finished", "failed", "cases")
"""Columns of the counts of debates of a condition."""


def design(played: pd.DataFrame, names: Conditions, setting: Setting) -> Section:
    """The section. `played` has the columns `tally.CONDITION` and `PLAYED`, a row for each condition."""
    exhibits = [
        Exhibit("Conditions", list(_told(played)), tables=[_conditions(played, names)]),
        Exhibit(
            "Models",
            [*setting.facts],
            tables=[plain("models-asked", "The models, as the experiment declares them.", setting.models)],
        ),
    ]
    return Section("design", "The design", [*setting.unfinished], exhibits)


def lead(played: pd.DataFrame, cases: int, turns: int) -> str:
    """The run in one sentence."""
    panels = set(played["panel"])
    sizes = sorted({panel.count("+") + 1 for panel in panels})
    seats = listed([str(size) for size in sizes])
    return (
        f"{several(cases, 'case')} before {several(len(panels), 'panel')} of {seats}"
        f" seat{'s' * (sizes != [1])}, in {several(len(played), 'condition')}:"
        f" {several(int(played['finished'].sum()), 'debate')} with {several(turns, 'turn')}."
    )


def _told(played: pd.DataFrame) -> Iterator[str]:
    """The design in words: what each protocol is, and what was varied."""
    protocols = sorted(set(played["protocol"]))
    yield " ".join(
        PROTOCOLS.get(name, f"The protocol {protocol(name)} is one of its own.") for name in protocols
    )
    steerings = sorted({steering(value) for value in played["steering"]} - {"none", ""})
    formats = sorted(set(played["answer_format"]) - {""})
    panels = [members(panel) for panel in sorted(set(played["panel"]), key=_size)]
    varied = {"Panels": "; ".join(panels), "Steerings": listed(steerings), "Answers": listed(formats)}
    yield " ".join(f"{name}: {said}." for name, said in varied.items() if said)


def _size(panel: str) -> tuple[int, str]:
    return panel.count("+"), panel


def _conditions(played: pd.DataFrame, names: Conditions) -> Table:
    groups: dict[str, list[Row]] = {}
    for heading, rest, records in conditions(played, names):
        counts = [Cell(count(records[0][name])) for name in PLAYED]
        groups.setdefault(heading, []).append([Cell(", ".join(rest) or ALL), *counts])
    return Table(
        "conditions",
        "Debates by condition: finished, failed, and of how many cases those that finished are.",
        ["condition", *PLAYED],
        1,
        [Group(label, rows) for label, rows in groups.items()],
        played,
    )
