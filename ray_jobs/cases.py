"""Cases from JSONL, CSV or Parquet files, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ray_jobs import case_values as values
from ray_jobs.case_files import FileRow, read_csv, read_jsonl, read_parquet
from ray_jobs.experiment import CaseField, CaseFile, Experiment
from ray_jobs.located import ExperimentError, one_of

READERS: dict[str, Callable[[Path], Iterator[FileRow]]] = {
    ".jsonl": read_jsonl,
    ".csv": read_csv,
    ".parquet": read_parquet,
}


@dataclass(frozen=True)
class CaseRow:
    """A case as its file has it.

    `truth` is the right answer of a question, for the analysis alone; `contestation` the entropy of
    human verdicts, in bits. `place` is where the case stands, for messages.
    """

    id: str
    title: str
    text: str
    options: list[str] | None = None
    truth: str | None = None
    source: str | None = None
    contestation: float | None = None
    place: str = field(default="", compare=False)


def load_cases(experiment: Experiment) -> list[CaseRow]:
    """The cases of an experiment; raises as `read_cases` does."""
    return list(read_cases(experiment.cases))


def read_cases(source: CaseFile) -> Iterator[CaseRow]:
    """The first `source.limit` cases of the file, in its order; rows after them are not looked at.

    Raises `ExperimentError`, naming file, line and key, for a file that is missing, of no known kind,
    not readable or without a case, and for a row that is no case or whose id stood before.
    """
    file = Path(source.file)
    if file.suffix.lower() not in READERS:
        raise ExperimentError(
            f"{file}: found the ending '{file.suffix}'; allowed: {one_of(READERS, file.suffix)}"
        )
    if not file.is_file():
        raise ExperimentError(f"{file}: found no such file; allowed: a file of cases ({one_of(READERS)})")
    places: dict[str, str] = {}
    for row in islice(READERS[file.suffix.lower()](file), source.limit):
        case = _case(row, source.columns)
        if case.id in places:
            raise ExperimentError(
                f"{row.place}: {source.columns.get('id', 'id')}: found '{case.id}', the id of the case at"
                f" {places[case.id]} too; allowed: every id once"
            )
        places[case.id] = row.place
        yield case
    if not places:
        raise ExperimentError(f"{file}: found no case; allowed: at least one")


def _case(row: FileRow, columns: Mapping[CaseField, str]) -> CaseRow:
    def column(name: CaseField, required: bool = False) -> values.Value:
        key = columns.get(name, name)
        if key not in row.values and (required or name in columns):
            raise ExperimentError(
                f"{row.place}: found no column '{key}' for the {name} of a case; allowed:"
                f" {one_of(row.values, key)}; name the right one under cases.columns.{name}"
            )
        return values.Value(row.place, key, row.values.get(key))

    return CaseRow(
        id=values.identifier(column("id", required=True)),
        title=values.optional_text(column("title")) or "",
        text=values.text(column("text", required=True)),
        options=values.options(column("options")),
        truth=values.optional_text(column("truth")),
        source=values.optional_text(column("source")),
        contestation=values.optional_number(column("contestation")),
        place=row.place,
    )
