"""The main measures of a run as sections of its report."""

from __future__ import annotations

import os
import pickle
import sys
from functools import partial

from analysis import courses, judgments
from analysis.counting import count
from analysis.courses import Courses
from analysis.estimates import plain
from analysis.measures.catalogue import VERDICTS
from analysis.oversight.catalogue import OVERSIGHT
from analysis.oversight.options import OptionError
from analysis.oversight.study import read_study
from analysis.part import PartError
from analysis.report.conditions import Conditions
from analysis.report.document import Exhibit, Section
from analysis.report.exhibits import exhibit
from analysis.report.oversight import oversight_sections
from analysis.report.run import JUDGES, about
from analysis.report.view import View
from analysis.report.views import VIEWS
from analysis.storage import Unreachable, opened
from analysis.summary import COUNTED
from analysis.tables import survey
from analysis.tally import CONDITION, groups, merge, pick

NICENESS = 10
"""How far counting stands back behind the pages that are asked for meanwhile."""

MAIN = ("consensus", "change", "verdicts")
OF_QUESTIONS = ("accuracy", "protocols", "exits")


def sections(run: str) -> list[Section]:
    """The main measures of verdicts, of judges, and of questions, each where the run has what it needs."""
    files, _ = opened(run)
    tallies = merge(map(partial(count, files, COUNTED), survey(run, *COUNTED)))
    found = courses.read(tallies)
    names = Conditions(plain(groups(CONDITION, found.rows, found.failed, pick(tallies, "judgments"))))
    judged = exhibit(JUDGES, judgments.estimate(tallies), _BY_DECISION, names)
    exhibits = [*_verdicts(found, names), judged, *_questions(run)]
    shown = [each for each in exhibits if each.figures]
    return [Section("measures", "Main measures", [], shown)]


_BY_DECISION = View(
    "stack", "decision", "decision", caption="Decisions of the judges, by the condition judged."
)


def _verdicts(found: Courses, names: Conditions) -> list[Exhibit]:
    return [
        exhibit(about(measure), measure.estimate(found, "disagree"), VIEWS.get(measure.name, View()), names)
        for measure in VERDICTS
        if measure.name in MAIN
    ]


def _questions(run: str) -> list[Exhibit]:
    """Of a run with judged questions of which the right answers are known."""
    try:
        study = read_study(run)
    except OptionError as error:
        return [Exhibit("Judges and right answers", absent=str(error))]
    chosen = [measure for measure in OVERSIGHT if measure.name in OF_QUESTIONS]
    return [each for section in oversight_sections(study, chosen) for each in section.exhibits]


def main() -> None:
    """Writes the sections of the run that is named, pickled, or what is wrong with it."""
    os.nice(NICENESS)
    try:
        found = sections(sys.argv[1])
    except (PartError, Unreachable) as error:
        sys.exit(str(error))
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main()
