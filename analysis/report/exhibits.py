"""A measure with its estimates as an exhibit: definition, figure, table; or a sentence on what it lacks."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit
from analysis.report.drawn import drawn
from analysis.report.tabulated import Layout, tabulated
from analysis.report.units import INDEX, PERCENT, POINTS, Unit, listed, several
from analysis.report.view import View

MOST = 250
"""Rows of a frame of which the table of a page has all; of a longer one, those that a figure draws."""


MANY = 2
"""Differences from which on it is said how many lie outside 0."""


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
    left_out = f" {_part(view, len(on_page), len(frame))}" if len(on_page) < len(frame) else ""
    table = tabulated(
        about.name,
        f"{about.title}, {_in(unit)}; {_intervals(shown)} n is the denominator.{left_out}",
        on_page,
        Layout(names, unit, view.columns),
        frame,
    )
    return Exhibit(
        about.title,
        [*text, *_outside(shown)],
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


def _part(view: View, here: int, all: int) -> str:
    """Which rows of a longer frame stand on the page."""
    ranked = f"of each the {view.most} that are farthest from 0" if view.ranked else ""
    only = [listed(values) for values in (*view.only.values(), *view.drawn.values())]
    drawn = f"only {'; '.join(dict.fromkeys(only))}" if only else ""
    steered = "the default steering" if view.usual else ""
    said = ", ".join(filter(None, [drawn, steered, ranked])) or "those of the figure"
    return f"{here:,} of {all:,} rows stand here: {said.replace('<NA>', 'never')}; all are in the CSV file."


def _outside(frame: pd.DataFrame) -> list[str]:
    """A sentence on how many differences lie outside 0, for those that chance alone would put there."""
    if "against_numerator" not in frame or frame["low"].notna().sum() < MANY:
        return []
    known = frame["low"].notna()
    outside = known & ((frame["low"] > 0) | (frame["high"] < 0))
    said = (
        f"Of {several(int(known.sum()), 'difference')} with an interval, {int(outside.sum())} lie outside 0;"
        f" by chance alone about {0.05 * int(known.sum()):.0f} would."
    )
    return [said]


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
