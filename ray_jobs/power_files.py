"""The files that `moot power` writes: its tables as CSV, its figure as SVG."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

import pandas as pd

from analysis.power.expected import Expected
from analysis.power.figure import figure
from analysis.report.errors import OutError
from protocols.spreadsheets import guarded


def prepare(folder: Path) -> Path:
    """The folder, made where it is not there. Raises `OutError` where nothing can be written."""
    if folder.exists() and not folder.is_dir():
        raise OutError(f"--out: found the file {folder}; expected a folder, new or of an earlier moot power")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutError(f"--out: {folder} cannot be a folder for files: {error.strerror or error}") from None
    return folder


def write(found: Expected, folder: Path) -> list[str]:
    """Writes sizes.csv, parameters.csv, rates.csv and precision.svg, in place of earlier ones."""
    files = {
        "sizes.csv": _csv(found.sizes),
        "parameters.csv": _csv(found.parameters),
        "rates.csv": _csv(found.rates),
        "precision.svg": figure(found.parameters).file + "\n",
    }
    try:
        for name, said in files.items():
            (folder / name).write_text(said, "utf-8", newline="")
    except OSError as error:
        raise OutError(f"--out: {folder} cannot be written to: {error.strerror or error}") from None
    return list(files)


def _csv(table: pd.DataFrame) -> str:
    """As CSV of which no word is a formula to a spreadsheet."""
    words = table.map(lambda cell: guarded(cell) if isinstance(cell, str) else cell)
    return words.to_csv(index=False, float_format="%.6g", lineterminator="\r\n")
