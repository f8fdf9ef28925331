"""The table of cases within a run: written by the driver, read by the moderators."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from analysis.schema import schema
from ray_jobs.case_questions import as_texts, from_texts
from ray_jobs.cases import CaseRow
from ray_jobs.located import ExperimentError
from ray_jobs.log import Row
from ray_jobs.parts import read_parts, write_part
from ray_jobs.store import Store

SHOWN = ("title", "text", "options", "openings")
"""What a panel may be shown of a case."""

FIELDS = (*SHOWN, "truth", "source", "contestation")


class CaseTable:
    """The cases of a run by id, held as Arrow."""

    def __init__(self, store: Store) -> None:
        columns = ["case_id", *FIELDS]
        empty = schema("cases").empty_table().select(columns).replace_schema_metadata()
        self._table = pa.concat_tables([empty, *read_parts(store, "cases", columns)])
        self._rows = {case_id: row for row, case_id in enumerate(self._table["case_id"].to_pylist())}

    @property
    def ids(self) -> list[str]:
        """The ids of all cases, in the order in which they came into the table."""
        return list(self._rows)

    def __contains__(self, case_id: str) -> bool:
        return case_id in self._rows

    def __getitem__(self, case_id: str) -> CaseRow:
        row = self._table.slice(self._rows[case_id], 1).to_pylist()[0]
        row["openings"] = from_texts(row["openings"])
        return CaseRow(id=row["case_id"], **{name: row[name] for name in FIELDS})


def add_cases(store: Store, cases: Iterable[CaseRow], design: Row, stem: str) -> None:
    """Writes those cases to the table that it does not hold yet.

    Raises `ExperimentError` for one that the table holds with another title, text, options or openings, and
    for a question with another truth, for what goes on from its debates may hang on that.
    """
    table = CaseTable(store)
    new: list[Row] = []
    for case in cases:
        if case.id not in table:
            told = {name: getattr(case, name) for name in FIELDS}
            new.append({**design, "case_id": case.id, **told, "openings": as_texts(case.openings)})
        elif changed := _changed(table[case.id], case):
            raise ExperimentError(
                f"case '{case.id}': its {' and '.join(changed)} changed since this run began; give the case"
                " another id, or start another run with --out"
            )
    if new:
        write_part(store, "cases", stem, new)


def _changed(before: CaseRow, now: CaseRow) -> list[str]:
    kept = (*SHOWN, "truth") if now.options else SHOWN
    return [name for name in kept if getattr(before, name) != getattr(now, name)]
