"""A run in a notebook: its measures as tables and figures, and the model of its verdicts."""

from __future__ import annotations

import difflib
from functools import cached_property
from pathlib import Path

import pandas as pd

from analysis import courses
from analysis.causal.reading import read_arms
from analysis.causal.study import NAIVE, Causal, causal
from analysis.counting import tallied
from analysis.estimates import plain
from analysis.measures.catalogue import COUNTED, VERDICTS, VerdictMeasure
from analysis.model.features import NothingToFit, rows_of
from analysis.model.fit import Fit, fit
from analysis.model.reading import labels_of, read_debates, steered
from analysis.outcomes import Missing
from analysis.report.conditions import Conditions
from analysis.report.exhibits import exhibit
from analysis.report.figure import Figure
from analysis.report.inertia_figures import by_model
from analysis.report.run import about
from analysis.report.view import View
from analysis.report.views import VIEWS
from analysis.tables import parts
from analysis.tally import CONDITION, groups

INERTIA = "inertia"
"""The figure of the slopes of the model of verdicts."""


class UnknownMeasure(ValueError):
    """A name that no measure has; the message says which there are."""


class NothingToDraw(ValueError):
    """A measure of which the run has nothing to show; the message says what it lacks."""


class Run:
    """A run directory, finished or still going on; what is asked of it is read once."""

    def __init__(self, place: str | Path) -> None:
        self.place = place

    @property
    def measures(self) -> list[str]:
        """The names of all measures of verdicts."""
        return [measure.name for measure in VERDICTS]

    def measure(self, name: str, missing: Missing = "disagree") -> pd.DataFrame:
        """The table of a measure, its keys before the columns of `estimates.COLUMNS` or `contrast.COLUMNS`.

        Raises `UnknownMeasure`.
        """
        return _named(name).estimate(self._courses, missing)

    def figure(self, name: str) -> Figure:
        """The figure that a report has of a measure, or of `INERTIA`; a notebook shows it, `file` is its SVG.

        Raises `UnknownMeasure`, or `NothingToDraw`.
        """
        if name == INERTIA:
            return by_model(self.fit())
        measure = _named(name)
        made = exhibit(about(measure), self.measure(name), VIEWS.get(name, View()), self._conditions)
        if not made.figures:
            raise NothingToDraw(
                f"{name}: {made.absent or 'the report has a table of it only: see measure()'}"
            )
        return made.figures[0]

    def fit(self, estimator: str = "re") -> Fit:
        """Eq. 2 fitted to the debates, of the usual steering if there are such; raises `NothingToFit`."""
        turns, _ = steered(read_debates(self.place))
        return fit(rows_of(turns, labels=labels_of(turns)), estimator)

    def causal(self) -> Causal:
        """The designed arms, with an empty table where there are none, beside Eq. 2 where debates are."""
        try:
            beside = {name: self.fit(name) for name in NAIVE}
        except NothingToFit:
            beside = {}
        return causal(read_arms(self.place), beside)

    @cached_property
    def _courses(self) -> courses.Courses:
        return courses.read(tallied(self.place, COUNTED))

    @property
    def _conditions(self) -> Conditions:
        return Conditions(plain(groups(CONDITION, self._courses.rows, self._courses.failed)))


def open_run(place: str | Path) -> Run:
    """The run in a folder or at an address. Raises `tables.RunNotFound`."""
    parts(place, "debates")
    return Run(place)


def _named(name: str) -> VerdictMeasure:
    known = {measure.name: measure for measure in VERDICTS}
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1) or list(known)
        raise UnknownMeasure(f"there is no measure {name!r}; did you mean {', '.join(near)}?")
    return known[name]
