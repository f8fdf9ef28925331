"""The sections on values and on the labels that they are from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.reliability.measure import Reliability
from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit, Section
from analysis.report.exhibits import About, exhibit
from analysis.report.frame import Record, conditions, worded
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.units import PERCENT, POINTS, count, several
from analysis.report.value_views import AGREEMENT, KAPPAS, NO_LABELS, VALUES
from analysis.report.view import View
from analysis.values.labels import HUMAN
from analysis.values.measure import ValueMeasures

BY = ("protocol", "steering")
"""The columns of the condition that values are told by, beside the panel: pooled over orders and formats."""

TOP = 10
"""Figures of a family of which the noise of judges is told."""

READ = ("labels", "labelled", "unreadable", "unknown", "too_many", "repeated", "without_turn")


def value_sections(
    measured: Sequence[ValueMeasures], reliable: Sequence[Reliability], names: Conditions, turns: int
) -> Iterator[Section]:
    """A section on values and one on labels for each taxonomy; both without data where nothing is labelled.

    `turns` are those of the run.
    """
    if not measured:
        nothing = pd.DataFrame()
        lacking = [exhibit(about, nothing, view, names) for about, view in VALUES.values()]
        yield Section("values", "Values", [], lacking)
        lacking = [exhibit(about, nothing, view, names) for about, view in (AGREEMENT, KAPPAS)]
        yield Section("labels", "Reliability of labels", [], lacking)
    for number, (one, other) in enumerate(zip(measured, reliable, strict=True), start=1):
        suffix = f"-{number}" if number > 1 else ""
        of = f", list of values {number}" if len(measured) > 1 else ""
        yield _values(one, names, suffix, of)
        yield _labels(one, other, names, turns, suffix, of)


def _values(measured: ValueMeasures, names: Conditions, suffix: str, of: str) -> Section:
    exhibits = [
        exhibit(_named(about, suffix), getattr(measured, field).frame, view, names)
        for field, (about, view) in VALUES.items()
    ]
    text = [
        f"A list of {len(measured.taxonomy)} values; a message is a turn's explanation, labelled by a judge"
        " that saw nothing else. Orders and answer formats are pooled.",
        *measured.notes,
    ]
    return Section(f"values{suffix}", f"Values{of}", text, exhibits)


def _labels(
    measured: ValueMeasures, reliable: Reliability, names: Conditions, turns: int, suffix: str, of: str
) -> Section:
    parts: tuple[tuple[tuple[About, View], pd.DataFrame], ...] = (
        (AGREEMENT, reliable.agreement),
        (KAPPAS, reliable.kappas),
    )
    found = [exhibit(_named(about, suffix), frame, view, names) for (about, view), frame in parts]
    return Section(
        f"labels{suffix}",
        f"Reliability of labels{of}",
        [],
        [
            labellings(reliable.errors, turns, suffix),
            _read(measured.labels, suffix),
            *found,
            noise_exhibit(measured.differences.noise, names, suffix),
        ],
    )


def _named(about: About, suffix: str) -> About:
    return About(f"{about.name}{suffix}", about.title, about.definition, about.source, about.needs)


def labellings(made: pd.DataFrame, turns: int, suffix: str) -> Exhibit:
    """Who labelled how many of the turns of the run. `made` has a row for each labelling."""
    data = made[["judge", "pass", "labels"]].assign(turns=turns)
    rows = [
        [
            Cell(str(row["judge"]).removeprefix(HUMAN)),
            Cell("a person" if str(row["judge"]).startswith(HUMAN) else "a model"),
            Cell(str(row["pass"])),
            Cell(count(row["labels"])),
            Cell(count(turns)),
            Cell(PERCENT.number(row["labels"] / turns if turns else None)),
        ]
        for row in made.to_dict("records")
    ]
    heads = ["judge", "who", "pass", "turns labelled", "of turns", "%"]
    caption = "Labellings: who labelled, in which pass, and how many of the turns of the run."
    table = Table(f"labellings{suffix}", caption, heads, 3, [Group("", rows)], data)
    return Exhibit("Labellings", absent="" if rows else NO_LABELS, tables=[table] if rows else [])


def _read(labels: pd.DataFrame, suffix: str) -> Exhibit:
    heads = ["judge", "pass", *(name.replace("_", " ") for name in READ)]
    rows = [
        [Cell(str(row["judge"])), Cell(str(row["pass"])), *(Cell(count(row[name])) for name in READ)]
        for row in labels.to_dict("records")
    ]
    caption = (
        "Labels by how they were read: with values or none (labelled), not at all (unreadable), with a"
        " value that is not in the list (unknown), or with more than five (too many)."
    )
    table = Table(f"labels-read{suffix}", caption, heads, 2, [Group("", rows)], labels)
    return Exhibit(
        "Labels read", absent="" if len(labels) else NO_LABELS, tables=[table] if len(labels) else []
    )


def noise_exhibit(noise: pd.DataFrame, names: Conditions, suffix: str) -> Exhibit:
    """The largest value differences over all labellings, of each family."""
    title = "What judges do to the value differences"
    text = [
        "Each difference as the mean over all labellings, with an interval by bootstrap over cases in which"
        " every draw is from a labelling at random; lowest and highest are those of single labellings;"
        f" stable is the share of labellings with the sign of the mean. The {TOP} largest of each pair of"
        " models and condition."
    ]
    source = "Source: a review of arXiv 2510.10002."
    if noise.empty:
        return Exhibit(title, text, source, absent=AGREEMENT[0].needs)
    largest = noise[noise["rank"] <= TOP]
    rows = [
        Group(": ".join(filter(None, [heading, ", ".join(rest)])), [_stated(record) for record in records])
        for heading, rest, records in conditions(worded(largest), names)
    ]
    caption = (
        f"Value differences over all {several(int(noise['labellings'].max()), 'labelling')}, in percentage"
        f" points; below each its 95% interval. The {TOP} largest of each pair and condition; all"
        f" {len(noise):,} are in the CSV file."
    )
    heads = ["difference", "value", "points", "lowest", "highest", "stable, %"]
    table = Table(f"labels-noise{suffix}", caption, heads, 2, rows, noise)
    return Exhibit(title, text, source, tables=[table])


def _stated(row: Record) -> Row:
    """The noise of one difference."""
    numbers = [POINTS.number(row[name]) for name in ("lowest", "highest")]
    return [
        Cell(str(row["difference"])),
        Cell(str(row["value"])),
        Cell(POINTS.number(row["estimate"]), POINTS.interval(row["low"], row["high"])),
        *map(Cell, numbers),
        Cell(PERCENT.number(row["stable"])),
    ]
