"""Reports of synthetic runs, without Ray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pandas as pd
import pyarrow as pa

from analysis.measures.catalogue import VERDICTS, VerdictMeasure
from analysis.report.document import Document
from analysis.report.run import report
from analysis.report.setting import Setting
from tests.analysis.counting import said, tallied
from tests.analysis.synthetic import Debate, draw, judge

SETTING = Setting("a study", pd.DataFrame({"model": ["alpha"], "answered by": ["a simulation"]}), ["A fact."])

TWO_SEATS = [
    Debate(
        f"{order} {number}",
        "round_robin",
        ("alpha", "beta"),
        order,
        "default",
        said(*rounds),
        case=f"c{number}",
    )
    for order in ("1-2", "2-1")
    for number, rounds in enumerate((("NN",), ("NY", "NN"), ("YN", "YY"), ("NY", "YN")))
]
"""Four cases in both orders."""


def tallies(debates: Sequence[Debate]) -> pa.Table:
    """The merged tallies of these debates."""
    return tallied(list(debates))


def page(
    debates: Sequence[Debate], setting: Setting = SETTING, verdicts: Sequence[VerdictMeasure] = VERDICTS
) -> Document:
    """The report of these debates, which nobody has labelled."""
    return report(tallies(debates), [], [], setting, verdicts)


def some(*names: str) -> list[VerdictMeasure]:
    """The measures of these names."""
    return [measure for measure in VERDICTS if measure.name in names]


@cache
def whole() -> Document:
    """The report of debates in both orders, with all measures."""
    return page(TWO_SEATS)


def drawn_run(number: int = 40) -> list[Debate]:
    """Debates of many kinds, with judgments and failures."""
    return judge(draw(3, number), 3)


def renamed(debates: Sequence[Debate], name: str) -> list[Debate]:
    """The same debates with a model and a case of this name."""
    return [replace(one, models=(name, *one.models[1:]), case=name) for one in debates]
