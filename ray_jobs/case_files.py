"""Rows of JSONL, CSV and Parquet files, each with its place in the file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ray_jobs.located import ExperimentError, one_of

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row: `place` as messages call it, such as "cases.csv:7", and its values by column."""

    place: str
    values: dict[str, object]


def read_rows(file: Path) -> Iterator[FileRow]:
    """The rows of a file, read by its ending.

    Raises `ExperimentError`, naming file and line, for a file that is missing, of no known kind or not
    readable.
    """
    ending = file.suffix.lower()
    if ending not in READERS:
        raise ExperimentError(
            f"{file}: found the ending '{file.suffix}'; allowed: {one_of(READERS, file.suffix)}"
        )
    if not file.is_file():
        raise ExperimentError(f"{file}: found no such file; allowed: a file of cases ({one_of(READERS)})")
    return READERS[ending](file)


def read_jsonl(file: Path) -> Iterator[FileRow]:
    """One JSON object a line; blank lines are passed over. Raises `ExperimentError` with the line."""
    for number, line in _lines(file):
        if not line.strip():
            continue
        place = f"{file}:{number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:  # also for numbers of too many digits, and deep nests
            raise ExperimentError(
                f"{place}: found {_start(line)}, which is no JSON ({error}); allowed: one JSON object on each"
                " line"
            ) from None
        if not isinstance(values, dict):
            raise ExperimentError(f"{place}: found {_start(line)}; allowed: one JSON object on each line")
        yield FileRow(place, values)


def read_csv(file: Path) -> Iterator[FileRow]:
    """The rows of a CSV file under a header, quoted by `"`. Raises `ExperimentError` with the line."""
    reader = csv.reader((line for _, line in _lines(file)), strict=True)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            place, line = f"{file}:{line}", reader.line_num + 1
            if header is None:
                header = _header(place, cells)
            elif cells:
                yield FileRow(place, _by_column(place, header, cells))
    except csv.Error as error:
        raise ExperimentError(
            f"{file}:{line}: found a row that is no valid CSV ({error}, on line {reader.line_num});"
            ' allowed: fields that hold commas, quotes or line breaks in "quotes", quotes in them doubled'
        ) from None


def read_parquet(file: Path) -> Iterator[FileRow]:
    """The rows of a Parquet file, numbered from 1. Raises `ExperimentError` for what is none."""
    try:
        with pq.ParquetFile(file) as parquet:
            number = 0
            for batch in parquet.iter_batches(batch_size=1024):
                for values in batch.to_pylist():
                    number += 1
                    yield FileRow(f"{file}: row {number}", values)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{file}: found no readable Parquet file: {error}") from None


READERS: dict[str, Callable[[Path], Iterator[FileRow]]] = {
    ".jsonl": read_jsonl,
    ".csv": read_csv,
    ".parquet": read_parquet,
}


def _header(place: str, cells: list[str]) -> list[str]:
    twice = sorted({name for name in cells if cells.count(name) > 1})
    if twice:
        raise ExperimentError(
            f"{place}: found the column {', '.join(twice)} twice; allowed: every column once"
        )
    return cells


def _by_column(place: str, header: list[str], cells: list[str]) -> dict[str, object]:
    if len(cells) != len(header):
        raise ExperimentError(
            f"{place}: found {len(cells)} fields; allowed: {len(header)}, one for each of {', '.join(header)}"
        )
    return dict(zip(header, cells, strict=True))


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    with file.open("rb") as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                yield number, (raw.removeprefix(BOM) if number == 1 else raw).decode("utf-8")
            except UnicodeDecodeError as error:
                raise ExperimentError(
                    f"{file}:{number}: found the byte {raw[error.start]:#04x} at byte {error.start + 1};"
                    " allowed: text in UTF-8; save the file in that encoding"
                ) from None


def _start(line: str, width: int = 40) -> str:
    line = line.strip()
    return repr(line) if len(line) <= width else f"{line[:width]!r}..."
