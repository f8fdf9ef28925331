"""`moot import interaction-protocol`: published debates as a run directory, on which all commands work."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from protocols.names import NAME
from protocols.values import Value, normal, read_taxonomy
from ray_jobs.case_block import CaseFile
from ray_jobs.case_table import add_cases
from ray_jobs.cases import CaseRow, read_cases
from ray_jobs.claims import claim_id, claim_run
from ray_jobs.design_row import design_row
from ray_jobs.label_folder import VALUES, label_store
from ray_jobs.lease import lease
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.parts import Parts, Rows, write_batch
from ray_jobs.plan import Plan
from ray_jobs.published.debate_files import DebateFile, column, find_files
from ray_jobs.published.debates import differences, labelled, transcript_of
from ray_jobs.published.row_lists import UnusableRow, published
from ray_jobs.published.rows import imported_rows, unusable_rows, values_rows
from ray_jobs.published.study import cell_of, experiment_of
from ray_jobs.published.tally import Tally
from ray_jobs.published.verdicts import Source
from ray_jobs.question_sets import set_names
from ray_jobs.run_directory import refuse_foreign
from ray_jobs.store import Store, reach


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be imported, and how: from where, under which name, whose values by which list (CSV)."""

    folder: Path
    cases: CaseFile | None = None
    name: str = "interaction-protocol"
    judge: str = "published"
    values: str = ""
    source: Source = "messages"


def cases_of(file: Path | None, format: str | None, limit: int | None) -> CaseFile | None:
    """Where the dilemmas are, the first `limit` of them. Raises `ExperimentError` for an unknown format, or a
    format or limit without a file.
    """
    if limit is not None and file is None:
        raise ExperimentError(f"--limit: found {limit} without --cases; allowed: beside --cases")
    if format is not None and (file is None or format not in set_names()):
        found = f"'{format}'" if file is not None else f"'{format}' without --cases"
        raise ExperimentError(
            f"--format: found {found}; allowed: beside --cases one of {one_of(set_names(), format)}"
        )
    return None if file is None else CaseFile(file=str(file), format=format, limit=limit)


def import_study(order: Order, out: str, console: Console) -> None:
    """Writes the debates of a published study as the run `out`, and says what was found.

    Raises `ExperimentError` for files that are not of the study's form or do not align, and for an `out` that
    holds anything; rows that hold no debate are counted as debates that failed.
    """
    if not NAME.fullmatch(order.judge):
        raise ExperimentError(f"--judge: found '{order.judge}'; allowed: letters, digits, '.', '_' and '-'")
    files, others = find_files(order.folder)
    cases = _cases(order, files[0].debates)
    called, notes = _called(files)
    source = order.cases or CaseFile(file=str(order.folder))
    experiment = experiment_of(order.name, files, called, source.model_dump(mode="json"))
    plan = Plan(experiment, [case.id for case in cases])
    reach(out)
    store = Store(out)
    _refuse_used(store)
    claim = claim_id()
    with lease(store, claim):
        run_id = claim_run(store, experiment, claim).run_id
        add_cases(store, cases, {"run_id": run_id}, claim)
        tables = _Tables(store, order, run_id, claim)
        for file in files:
            tables.add(file, plan, cases, experiment.rounds)
        tables.end()
    for note in [*notes, *_passed_over(order.folder, others)]:
        console.print(f"warning: {note}", style="yellow", highlight=False, markup=False, soft_wrap=True)
    tables.tally.tell(out, console)


class _Tables:
    """The tables in the making, those of the debates and those of their values."""

    def __init__(self, store: Store, order: Order, run_id: str, claim: str) -> None:
        self._store, self._order, self._run_id, self._claim = store, order, run_id, claim
        self._parts = {store: Parts(claim)}
        self._values: tuple[Value, ...] = read_taxonomy(order.values, "the list of values")
        self._names = [value.name for value in self._values]
        self._known = frozenset(map(normal, self._names))
        self._labels = label_store(store, order.judge)
        self.tally = Tally()

    def add(self, file: DebateFile, plan: Plan, cases: Sequence[CaseRow], most_rounds: int) -> None:
        """Takes in a file, whose rows are about these cases."""
        place = cell_of(file, plan.cells)
        cell = plan.cells[place]
        for at, (case, row) in enumerate(zip(cases, file.rows(), strict=True)):
            design = design_row(plan, plan.debate(at * len(plan.cells) + place), self._run_id)
            where = f"{file.path.name}: row {at + 1}"
            try:
                debate = published(row, len(file.models))
            except UnusableRow as error:
                self.tally.unusable.append(f"{where}: {error}")
                self._write(self._store, unusable_rows(design, where, error))
                continue
            transcript = transcript_of(debate, cell, self._order.source)
            rows = imported_rows(design, cell, debate, transcript, self._claim, case.truth)
            self._write(self._store, rows)
            found = differences(debate, transcript, most_rounds)
            self.tally.add(design, (file.path.name, at + 1), found, len(transcript.turns))
            if given := labelled(debate, transcript, self._names):
                self.tally.add_labels(debate, given, self._known)
                self._write(self._labels, values_rows(design, self._order.judge, given))

    def end(self) -> None:
        """Writes what is left."""
        for store, parts in self._parts.items():
            write_batch(store, parts.take())
        if self._labels in self._parts:
            self._labels.write(VALUES, self._order.values.encode())
        self.tally.write(self._store)

    def _write(self, store: Store, rows: Rows) -> None:
        parts = self._parts.setdefault(store, Parts(self._claim))
        parts.add(rows, time.monotonic())
        if parts.due(time.monotonic()):
            write_batch(store, parts.take())


def _cases(order: Order, debates: int) -> list[CaseRow]:
    """The dilemmas in the order of the files; nameless ones where none are given."""
    if order.cases is None:
        width = len(str(debates))
        numbers = [f"{number:0{width}}" for number in range(1, debates + 1)]
        return [CaseRow(f"dilemma-{number}", f"Dilemma {number}", "") for number in numbers]
    left_out: Counter[str] = Counter()
    cases = list(read_cases(order.cases, left_out))
    if len(cases) != debates or left_out:
        others = f" and {left_out.total():,} rows that are none" if left_out else ""
        raise ExperimentError(
            f"{order.cases.name}: found {len(cases):,} cases{others}; allowed: {debates:,} cases, one for"
            f" each row of the files in {order.folder}, in their order"
        )
    return cases


def _called(files: Sequence[DebateFile]) -> tuple[Mapping[str, str], list[str]]:
    """What the files call each model, where they all call it the same; else a warning."""
    names: dict[str, set[str]] = {}
    for file in files:
        for agent, model in enumerate(file.models, start=1):
            names.setdefault(model, set()).update(file.distinct(column(agent, "name")))
    several = [
        f"'{model}' is called {', '.join(sorted(found))} in the files; it is taken for one model"
        for model, found in names.items()
        if len(found) > 1
    ]
    return {model: next(iter(found)) for model, found in names.items() if len(found) == 1}, several


def _passed_over(folder: Path, others: Sequence[str]) -> list[str]:
    if not others:
        return []
    some = ", ".join(others[:5]) + (f" and {len(others) - 5:,} more" if len(others) > 5 else "")
    return [f"{folder}: passed over, by their names no files of the study: {some}"]


def _refuse_used(store: Store) -> None:
    refuse_foreign(store)
    if store.names("claims"):
        raise ExperimentError(
            f"--out: found a run in {store.uri}; allowed: a folder that is not there or empty"
        )
