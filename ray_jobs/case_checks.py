"""What must hold between the cases of an experiment and its designs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from protocols.answer_format import LETTERS, VERDICTS
from protocols.sections import OPENED
from ray_jobs.cases import CaseRow
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError, Problem
from ray_jobs.planting import PLANTED, Planted
from serving.blocks import SimulatedBlock

TAKE_OPENINGS = ("solo", *OPENED)
"""The protocols that begin with the openings of a case, where it brings any."""


def check_cases(experiment: Experiment, cases: Sequence[CaseRow]) -> None:
    """Raises `ExperimentError` for the first case that the designs cannot be played with."""
    _refuse_unlisted(experiment, cases)
    _refuse_unseated(experiment, cases)
    _refuse_unplanted(experiment, cases)


def check_known(experiment: Experiment, cases: Sequence[CaseRow], models: Collection[str]) -> None:
    """Raises `ExperimentError` for simulated models that do not know the right option of every question."""
    asked = {case.id: case for case in cases if case.options}
    wrong = []
    for name in sorted(models):
        block = experiment.models[name]
        law = block.oversight if isinstance(block, SimulatedBlock) else None
        unknown = [] if law is None else [id for id in asked if id not in law.knows]
        other = [
            id
            for id, case in asked.items()
            if law and id in law.knows and law.knows[id].truth not in (case.options or ())
        ]
        for ids, found in ((unknown, "no right option of"), (other, "as right what is no option of")):
            if ids:
                said = f"{found} {len(ids):,} of the {len(asked):,} questions, '{ids[0]}' for one"
                allowed = "a file with the id and the truth of every question, as that of the cases"
                wrong.append(Problem(("models", name, "oversight", "knows"), said, allowed))
    if wrong:
        raise experiment.error(wrong)


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


def _refuse_unplanted(experiment: Experiment, cases: Sequence[CaseRow]) -> None:
    """What is planted in a seat must be a label of the case, and be explained where that is by a text."""
    entries = [entry for each in experiment.products for entry in each.protocols]
    sown = [Planted.model_validate(entry.params[PLANTED]) for entry in entries if PLANTED in entry.params]
    for case, planted in product(cases, sown):
        labels = LETTERS[: len(case.options)] if case.options else VERDICTS
        place = f"{case.place or case.id}: the case '{case.id}' has the labels {', '.join(labels)}"
        for label in planted.may_be(labels):
            if label not in labels:
                raise ExperimentError(f"{place}; {label} is to be planted; allowed: one of them, or drawn")
            if isinstance(planted.text, dict) and label not in planted.text:
                raise ExperimentError(
                    f"{place}; planted.text has none for {label}; allowed: one for every label that may be"
                    " planted, or one text for all"
                )
