"""The figures of repetitions as CSV files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from analysis.csv_text import csv
from analysis.replication.replicate import Fitted, Replication


def write_files(found: Replication, folder: Path) -> int:
    """Writes a file for each table into `folder`, which is made; returns how many. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    tables = dict(_tables(found))
    for name, table in tables.items():
        (folder / f"{name}.csv").write_text(csv(table), "utf-8", newline="")
    return len(tables)


def _tables(found: Replication) -> Iterator[tuple[str, pd.DataFrame]]:
    yield "falsifier", found.falsifier
    yield "variance", found.variance
    yield "variance-levels", found.levels
    yield "agreement", found.agreement
    yield from _of_fits("", found.own, found)
    if found.as_paper is not found.own:
        yield from _of_fits("paper-", found.as_paper, found)


def _of_fits(prefix: str, fitted: Fitted, found: Replication) -> Iterator[tuple[str, pd.DataFrame]]:
    each = [
        fit.table().reset_index().assign(repetition=one.name)
        for one, fit in zip(found.repetitions, fitted.fits, strict=True)
    ]
    yield f"{prefix}repetitions", pd.concat(each, ignore_index=True)
    yield f"{prefix}slopes", fitted.slopes.reset_index()
    if fitted.rule is not None and fitted.decision is not None:
        yield f"{prefix}rule", fitted.rule.figures
        yield f"{prefix}equivalence", fitted.decision.figures.reset_index()
