"""Cases from JSONL, CSV or Parquet files and from data sets, one at a time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ray_jobs import case_questions as questions
from ray_jobs import case_values as values
from ray_jobs.case_block import CaseField, CaseFile
from ray_jobs.case_dataset import read_dataset
from ray_jobs.case_files import FileRow, read_rows
from ray_jobs.case_questions import Openings
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.question_sets import QuestionSet, question_set
from ray_jobs.question_sets.kinds import Unusable


@dataclass(frozen=True)
class CaseRow:
    """A case as its file has it.

    A question has `options`, and `truth` is the text of the right one, for the analysis alone; `openings`
    are for each seat of the panel the text of the option it opens with, and its argument. `contestation`
    is the entropy of human verdicts, in bits; `place` where the case stands, for messages.
    """

    id: str
    title: str
    text: str
    options: list[str] | None = None
    truth: str | None = None
    source: str | None = None
    contestation: float | None = None
    openings: Openings | None = None
    place: str = field(default="", compare=False)


class CaseList(list[CaseRow]):
    """The cases of an experiment, and `warnings` that tell what of their source is not among them."""

    def __init__(self, cases: Iterable[CaseRow], warnings: Sequence[str] = ()) -> None:
        super().__init__(cases)
        self.warnings = tuple(warnings)


def load_cases(experiment: Experiment) -> CaseList:
    """The cases of an experiment; raises as `read_cases` does."""
    left_out: Counter[str] = Counter()
    cases = list(read_cases(experiment.cases, left_out))
    return CaseList(cases, list(_warnings(experiment.cases, len(cases), left_out)))


def _warnings(source: CaseFile, found: int, left_out: Counter[str]) -> Iterator[str]:
    """What whoever wrote the experiment may have expected to be there, and is not."""
    if count := left_out.total():
        kind = "rows" if source.format is None else question_set(source.format).rows_are
        rows = f"{count:,} of {count + found:,} {kind}"
        yield f"{source.name}: {rows} are left out: {_told(left_out)}"
    if source.limit is not None and found < source.limit:
        yield f"{source.name}: found {found:,} cases, fewer than cases.limit, which is {source.limit:,}"


def read_cases(source: CaseFile, left_out: Counter[str] | None = None) -> Iterator[CaseRow]:
    """The first `source.limit` cases of the source, in its order; rows after them are not looked at.

    Rows of a published set that cannot be put before a panel are passed over, and counted in `left_out` by
    reason. Raises `ExperimentError`, naming file, line and key, for a source that is missing, of no known
    kind, not readable or without a case, and for a row that is no case or whose id stood before.
    """
    left_out = Counter() if left_out is None else left_out
    rows = read_rows(Path(str(source.file))) if source.dataset is None else read_dataset(source)
    cases: Iterator[CaseRow]
    if source.format is None:
        key = source.columns.get("id", "id")
        cases = (_case(row, source.columns) for row in rows)
    else:
        known = question_set(source.format)
        key = known.id or "id"
        cases = _questions(rows, known, left_out)
    places: dict[str, str] = {}
    for case in islice(cases, source.limit):
        if case.id in places:
            raise ExperimentError(
                f"{case.place}: {key}: found '{case.id}', the id of the case at {places[case.id]} too;"
                " allowed: every id once"
            )
        places[case.id] = case.place
        yield case
    if not places:
        others = f", rows left out: {_told(left_out)}" if left_out else ""
        raise ExperimentError(f"{source.name}: found no case{others}; allowed: at least one")


def as_jsonl(cases: Iterable[CaseRow]) -> str:
    """A file of these cases, from which they are read as they are but for their places."""
    names = ("id", "title", "text", "options", "truth", "source", "contestation")
    lines: list[str] = []
    for case in cases:
        row: dict[str, object] = {name: getattr(case, name) for name in names}
        row["openings"] = questions.as_objects(case.openings)
        lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    return "".join(lines)


def _case(row: FileRow, columns: Mapping[CaseField, str]) -> CaseRow:
    def column(name: CaseField, required: bool = False) -> values.Value:
        key = columns.get(name, name)
        if key not in row.values and (required or name in columns):
            raise ExperimentError(
                f"{row.place}: found no column '{key}' for the {name} of a case; allowed:"
                f" {one_of(row.values, key)}; name the right one under cases.columns.{name}"
            )
        return values.Value(row.place, key, row.values.get(key))

    options = questions.options(column("options"))
    return CaseRow(
        id=values.identifier(column("id", required=True)),
        title=values.optional_text(column("title")) or "",
        text=values.text(column("text", required=True)),
        options=options,
        truth=questions.right_option(column("truth"), options),
        source=values.optional_text(column("source")),
        contestation=values.optional_number(column("contestation")),
        openings=questions.openings(column("openings"), options),
        place=row.place,
    )


def _questions(rows: Iterable[FileRow], known: QuestionSet, left_out: Counter[str]) -> Iterator[CaseRow]:
    for number, row in enumerate(known.gathered(rows), start=1):

        def cell(column: str, row: FileRow = row) -> values.Value:
            if column not in row.values:
                raise ExperimentError(
                    f"{row.place}: found no column '{column}'; allowed: the columns of {known.name} as it is"
                    f" published; here are {one_of(row.values, column)}"
                )
            return values.Value(row.place, column, row.values[column])

        try:
            found, contestation = known.read(cell), known.contestation(cell)
        except Unusable as error:
            left_out[error.reason] += 1
            continue
        yield CaseRow(
            id=known.identifier(cell, number),
            title=known.told_title(cell),
            text=found.text,
            options=found.options,
            truth=found.truth,
            source=known.source(cell),
            contestation=contestation,
            place=row.place,
        )


def _told(left_out: Counter[str]) -> str:
    return ", ".join(f"{count:,} {reason}" for reason, count in left_out.most_common())
