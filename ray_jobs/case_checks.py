"""What must hold between the cases of an experiment and its designs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from protocols.sections import OPENED
from ray_jobs.cases import CaseRow
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError

TAKE_OPENINGS = ("solo", *OPENED)
"""The protocols that begin with the openings of a case, where it brings any."""


def check_cases(experiment: Experiment, cases: Sequence[CaseRow]) -> None:
    """Raises `ExperimentError` for the first case that the designs cannot be played with."""
    _refuse_unlisted(experiment, cases)
    _refuse_unseated(experiment, cases)


def _refuse_unlisted(experiment: Experiment, cases: Sequence[CaseRow]) -> None:
    """Two listings of what has no options would be the same debate twice."""
    if not any(each.listing == "crossed" for each in experiment.products):
        return
    for case in cases:
        if not case.options:
            raise ExperimentError(
                f"{case.place or case.id}: the case '{case.id}' has no options, and listing: crossed lists"
                " them in two orders; allowed: questions alone, or listing: drawn"
            )


def _refuse_unseated(experiment: Experiment, cases: Sequence[CaseRow]) -> None:
    """Each opening of a case stands for one seat of the panel."""
    taking = [
        each for each in experiment.products if any(one.name in TAKE_OPENINGS for one in each.protocols)
    ]
    panels = dict.fromkeys(panel for each in taking for panel in each.panels)
    for case, panel in product(cases, panels):
        if case.openings and len(case.openings) != len(panel):
            raise ExperimentError(
                f"{case.place or case.id}: openings: found {len(case.openings)} in the case '{case.id}';"
                f" allowed: one for each of the {len(panel)} seats of the panel {list(panel)}, or none"
            )
