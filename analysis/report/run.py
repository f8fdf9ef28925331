"""The report of a run, from its merged tallies and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

import pandas as pd
import pyarrow as pa

from analysis import courses, failures, judgments, readings, totals
from analysis.courses import Courses
from analysis.estimates import plain
from analysis.measures.catalogue import VERDICTS, VerdictMeasure
from analysis.reliability.measure import Reliability
from analysis.report.cautions import cautions
from analysis.report.conditions import Conditions
from analysis.report.design import design, lead
from analysis.report.document import Document, Exhibit, Section
from analysis.report.exhibits import About, exhibit
from analysis.report.losses import losses
from analysis.report.setting import Setting
from analysis.report.units import several
from analysis.report.values import value_sections
from analysis.report.view import View
from analysis.report.views import VIEWS
from analysis.tally import CONDITION, groups, pick
from analysis.values.measure import ValueMeasures

SECTIONS = {
    "Agreement": ("consensus",),
    "Change of verdict": ("change", "positions"),
    "Verdicts": ("verdicts", "verdict", "agreed"),
    "Order effects": ("order",),
    "Steering": ("steering",),
    "Panels compared": ("panel",),
    "Without debate": ("solo", "alone", "matched"),
}
"""Sections by the first word of the names of their measures; others stand in a section of their own."""

OTHERS = "Further measures"

JUDGES = About(
    "judgments",
    "What judges decided",
    "The share of each decision among the readable judgments of a judge, by the condition of the debate"
    " judged.",
    "not in the paper",
    "There are no judgments: the experiment has no stage of judges.",
)


def report(
    tallies: pa.Table,
    measured: Sequence[ValueMeasures],
    reliable: Sequence[Reliability],
    setting: Setting,
    verdicts: Sequence[VerdictMeasure] = VERDICTS,
    *,
    modelled: Sequence[Section] = (),
) -> Document:
    """The page of a run. `tallies` are those of all of `summary.COUNTED`, `modelled` sections on a model."""
    found = courses.read(tallies)
    counted = played(tallies)
    names = Conditions(plain(groups(CONDITION, counted, pick(tallies, "judgments"))))
    turns = int(readings.estimate(tallies).drop_duplicates("model")["denominator"].sum())
    cases = int(totals.estimate(tallies)["cases"].iloc[0])
    sections = [
        design(counted, names, setting),
        losses(tallies),
        *verdict_sections(found, names, verdicts, setting.kept),
        *modelled,
        _judges(tallies, names),
        *value_sections(measured, reliable, names, turns),
    ]
    return Document(
        "Report of a run",
        setting.name,
        [lead(counted, cases, turns), *_planted(tallies), *HOW],
        sections,
        [f"Made by moot {version('moot')}. Figures and tables lie beside this page as files."],
    )


def _planted(tallies: pa.Table) -> Iterator[str]:
    """What became of debates with a planted verdict."""
    if debates := int(pick(tallies, courses.PLANTED)["count"].sum()):
        yield (
            f"{several(debates, 'further debate')} with a planted verdict: what they say is in the section on"
            " designed arms alone."
        )


HOW = (
    "Every estimate comes with its denominator (n) and a 95% interval: percentiles of 10,000 draws of whole"
    " cases, as what is hard about a case comes back in all of its debates. What cannot be estimated is a"
    " dash, with the reason noted; a turn that cannot be read agrees with nothing.",
)


def played(tallies: pa.Table) -> pd.DataFrame:
    """The debates of each condition, of whatever protocol: `CONDITION`, finished, failed, cases."""
    ended, given_up = totals.played(tallies), failures.failed(tallies)
    grid = groups(CONDITION, ended, given_up)
    by = list(CONDITION)
    finished = ended.groupby(by, as_index=False).agg(finished=("count", "sum"), cases=("case_id", "nunique"))
    failed = given_up.groupby(by, as_index=False).agg(failed=("count", "sum"))
    whole = grid.merge(finished, how="left", on=list(CONDITION)).merge(failed, how="left", on=list(CONDITION))
    counts = ["finished", "failed", "cases"]
    return whole.fillna(dict.fromkeys(counts, 0)).astype(dict.fromkeys(counts, "int64"))


def verdict_sections(
    found: Courses, names: Conditions, verdicts: Sequence[VerdictMeasure], kept: Mapping[str, str]
) -> Iterator[Section]:
    """The measures of verdicts, in sections; `kept` as in `Setting`."""
    sections: dict[str, list[VerdictMeasure]] = {title: [] for title in (*SECTIONS, OTHERS)}
    for measure in verdicts:
        first = measure.name.split("_")[0]
        title = next((title for title, words in SECTIONS.items() if first in words), OTHERS)
        sections[title].append(measure)
    for title, measures in sections.items():
        if measures:
            text = cautions(title, plain(found.rows), kept)
            exhibits = [_exhibit(measure, found, names) for measure in measures]
            yield Section(title.lower().replace(" ", "-"), title, text, exhibits)


def about(measure: VerdictMeasure) -> About:
    """What is said of a measure of verdicts."""
    lacks = f"This run has none of what it needs: {measure.needs}."
    return About(measure.name, measure.title, measure.definition, measure.source, lacks)


def _exhibit(measure: VerdictMeasure, found: Courses, names: Conditions) -> Exhibit:
    frame = measure.estimate(found, "disagree")
    return exhibit(about(measure), frame, VIEWS.get(measure.name, View()), names)


def _judges(tallies: pa.Table, names: Conditions) -> Section:
    frame = judgments.estimate(tallies)
    caption = "Decisions of the judges. Numbers are percent of readable judgments."
    shown = exhibit(JUDGES, frame, View("stack", "decision", "decision", caption=caption), names)
    return Section("judges", "Judges", [], [shown])
