"""A measure with its estimates as an exhibit: definition, figure, table; or a sentence on what it lacks."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit
from analysis.report.drawn import drawn
from analysis.report.tabulated import Layout, tabulated
from analysis.report.units import INDEX, PERCENT, POINTS, Unit
from analysis.report.view import View

MOST = 250
"""Rows of a frame of which the table of a page has all; of a longer one, those that a figure draws."""


@dataclass(frozen=True, slots=True)
class About:
    """What is said of a measure: `needs` is what a run must hold for it, or what to do about that."""

    name: str
    title: str
    definition: str
    source: str
    needs: str


def exhibit(about: About, frame: pd.DataFrame, view: View, names: Conditions) -> Exhibit:
    """The exhibit of a measure."""
    text, source = [about.definition], f"Source: {about.source}."
    shown = view.page(frame) if len(frame) else frame
    if not len(shown):
        return Exhibit(about.title, text, source, absent=about.needs)
    unit = view.unit or _unit(shown)
    figure = drawn(about.name, frame, view, names, unit)
    drawn_rows = view.figure(frame)
    longer = len(shown) > MOST and len(drawn_rows) < len(shown)
    on_page = drawn_rows if longer else shown
    left_out = (
        f" Only a part of the {len(frame):,} rows stands here; all are in the CSV file." if longer else ""
    )
    table = tabulated(
        about.name,
        f"{about.title}, {_in(unit)}; {_intervals(shown)} n is the denominator.{left_out}",
        on_page,
        Layout(names, unit, view.columns),
        frame,
    )
    return Exhibit(
        about.title,
        text,
        source,
        absent=_reasons(shown),
        figures=[figure] if figure else [],
        tables=[table],
    )


def _unit(frame: pd.DataFrame) -> Unit:
    """Percent for proportions, points for their differences, else an index."""
    if "against_numerator" in frame:
        return POINTS
    return PERCENT if frame["wilson_low"].notna().any() or frame["estimate"].isna().all() else INDEX


def _in(unit: Unit) -> str:
    return {PERCENT: "in percent", POINTS: "in percentage points"}.get(unit, "as an index")


def _intervals(frame: pd.DataFrame) -> str:
    """What the intervals are."""
    if frame["low"].isna().all():
        return "no interval can be had."
    tested = ", ".join(sorted(set(frame["test"]) - {""})) if "test" in frame else ""
    adjusted = f" p: {tested}; adjusted after Benjamini and Hochberg." if tested else ""
    return f"below each its 95% interval by bootstrap over cases.{adjusted}"


def _reasons(frame: pd.DataFrame) -> str:
    """Why there is no estimate at all; "" where there is any."""
    if frame["estimate"].notna().any():
        return ""
    return "; ".join(sorted(set(frame["reason"]) - {""})) + "."
