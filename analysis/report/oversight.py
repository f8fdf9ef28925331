"""The sections of an oversight study: how well judges find the right answer, and how consultants help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.estimates import plain
from analysis.oversight.catalogue import OVERSIGHT, OversightMeasure
from analysis.oversight.decomposition import factors
from analysis.oversight.study import Study
from analysis.report import oversight_tables
from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit, Section
from analysis.report.exhibits import About, exhibit
from analysis.report.oversight_notes import notes
from analysis.report.oversight_views import ANSWERS, VIEWS, shown
from analysis.report.units import listed, several
from analysis.report.view import View
from analysis.tally import CONDITION, groups

SECTIONS = {
    "How often judges are right": ("accuracy", "accuracy_sources", "accuracy_consultancies", "consultants"),
    "Protocols compared by their judges": (
        *("protocols", "protocols_sources", "protocols_sweep", "protocols_pooled", "balanced", "ablations"),
    ),
    "What judges make of consultants": ("adoption", "ways"),
    "Disagreement resolution": (*("exits", "exits_right", "agreement", "actions", "calibration", "beliefs"),),
    "What was lost of the study": ("lost", "violations"),
}
"""Sections with the names of their measures; others stand in the last."""

SAME = ("sees", ANSWERS)
"""Columns that stand on the page only where judges differ in them."""

DEPENDENT = (
    "Judges read the same debates, and protocols go on from the same openings: differences are of the same"
    " instances, an instance being a question in one repetition with its openings. Intervals draw questions,"
    " with all of their instances."
)


def oversight_sections(study: Study, measures: Sequence[OversightMeasure] = OVERSIGHT) -> list[Section]:
    """The sections; none where the run has no judgments of questions."""
    if study.judged.empty:
        return []
    names = _names(study)
    titles = list(SECTIONS)
    placed: dict[str, list[OversightMeasure]] = {title: [] for title in titles}
    for measure in measures:
        own = [title for title in titles if measure.name in SECTIONS[title]]
        placed[(own or titles[-1:])[0]].append(measure)
    return [
        Section(
            f"oversight-{title.lower().replace(' ', '-')}",
            title,
            _lead(study) if title == titles[0] else [],
            [each for measure in own for each in _exhibits(measure, study, names)],
        )
        for title, own in placed.items()
        if own
    ]


def _names(study: Study) -> Conditions:
    """Names of the conditions, which are pooled over stages."""
    told = plain(groups(CONDITION, study.debates, study.judged, study.failed))
    return Conditions(told.assign(stage="").drop_duplicates())


def _lead(study: Study) -> list[str]:
    """The study in numbers."""
    judged = study.judged
    said = (
        f"{several(judged['case_id'].nunique(), 'question')} in"
        f" {several(judged['instance'].nunique(), 'instance')}, {several(len(judged), 'judgment')} by"
        f" {several(judged['judge'].nunique(), 'judge')}. Judges see"
        f" {listed(sorted(set(judged['sees'])))}; they answer with {listed(sorted(set(judged['answers'])))}."
    )
    return [said, DEPENDENT]


def _exhibits(measure: OversightMeasure, study: Study, names: Conditions) -> Iterator[Exhibit]:
    name = f"oversight-{measure.name.replace('_', '-')}"
    frame = measure.estimate(study)
    laid = shown(measure.name, frame)
    view = VIEWS.get(measure.name, View())
    view = replace(view, counts=tuple(one for one in SAME if one in laid and laid[one].nunique() < 2))
    lacks = f"This run has none of what it needs: {measure.needs}."
    about = About(name, measure.title, measure.definition, measure.source, lacks)
    made = exhibit(about, laid, view, names)
    made = replace(made, text=[*made.text, *notes(measure.name, frame)])
    if measure.name == "protocols_pooled" and len(frame):
        table = oversight_tables.heterogeneity(f"{name}-heterogeneity", frame)
        made = replace(made, tables=[*made.tables, table])
    yield made
    if measure.name == "ways" and len(frame):
        yield _bound(study, names)


def _bound(study: Study, names: Conditions) -> Exhibit:
    """The identity by its factors, and the bound."""
    told = factors(study)
    return Exhibit(
        "Accuracy as an identity, and the bound below it",
        [
            "Accuracy taken apart by whether consultants end on one answer, whether that is right, and what"
            " the judge makes of it: the sum is the accuracy. The bound holds for consultants that answer by"
            " what they believe and judges that follow right agreements no less than wrong ones.",
        ],
        "Source: arXiv 2607.01251, Theorem 3; the identity is not in the paper.",
        tables=[
            oversight_tables.identity("oversight-identity", told, names),
            oversight_tables.bound("oversight-bound", told, names),
        ],
    )
