"""What stands in the rows of a sheet that somebody has labelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from protocols.values import NONE, Value, normal
from ray_jobs.case_files import FileRow, read_csv
from ray_jobs.located import ExperimentError
from ray_jobs.sheet import CELLS

Labels = tuple[str, ...]


@dataclass
class SheetRows:
    """The `labels` of explanations by their ids, and at which `places` of the file they stand.

    A row without any value is in neither; the word none makes an empty tuple. `wrong` tells of rows that
    cannot be read, a line each.
    """

    labels: dict[str, Labels] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def sheet_rows(file: Path, values: Sequence[Value]) -> SheetRows:
    """The rows of a sheet, labelled by these values.

    Raises `ExperimentError` for a file that is not there, is no CSV, or has not the columns of a sheet.
    """
    if not file.is_file():
        raise ExperimentError(f"--read: found no file {file}; allowed: a sheet that --sheet has written")
    names = {normal(value.name): value.name for value in values}
    rows = SheetRows()
    for row in read_csv(file, _delimiter(file)):
        if missing := [column for column in ("id", *CELLS) if column not in row.values]:
            raise ExperimentError(
                f"{file}:1: found no column {', '.join(missing)}; allowed: the columns that --sheet has"
                " written, parted by commas or semicolons"
            )
        _take(rows, row, names)
    return rows


def _delimiter(file: Path) -> str:
    """What parts the columns: where commas part decimals, spreadsheets save CSV with semicolons."""
    with file.open("rb") as stream:
        heading = stream.readline()
    return ";" if b";" in heading and b"," not in heading else ","


def _take(rows: SheetRows, row: FileRow, names: Mapping[str, str]) -> None:
    cells = {column: str(row.values[column]).strip() for column in CELLS}
    given = {column: cell for column, cell in cells.items() if cell}
    if not given:
        return
    id = str(row.values["id"]).strip()
    if id in rows.places:
        rows.wrong.append(
            f"{row.place}: id: found '{id}', which has labels at {rows.places[id]} too; allowed: in one row"
        )
    rows.places[id] = row.place
    rows.wrong += [f"{row.place}: {problem}" for problem in _problems(given, names)]
    keys = {normal(cell) for cell in given.values()}
    rows.labels[id] = tuple(sorted(names[key] for key in keys if key in names))


def _problems(given: Mapping[str, str], names: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with the cells of one row, by column."""
    columns: dict[str, str] = {}
    for column, cell in given.items():
        key = normal(cell)
        if key == NONE and len(given) > 1:
            yield f"{column}: found '{cell}' beside values; allowed: {NONE} alone, or values alone"
        elif key != NONE and key not in names:
            near = get_close_matches(key, names, n=1)
            meant = f" (did you mean '{names[near[0]]}'?)" if near else ""
            yield f"{column}: found '{cell}'; allowed: {NONE}, or one of the {len(names)} values{meant}"
        elif key in columns:
            yield f"{column}: found '{cell}', as in {columns[key]}; allowed: every value once"
        columns[key] = column
