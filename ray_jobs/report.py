"""`moot report` and `moot compare`: a run, or two of one design, as a page."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from analysis.report.document import Document
from analysis.report.page import OutError, contents, write
from ray_jobs.setting import setting
from ray_jobs.show import refuse_labels
from ray_jobs.store import Store


def report_run(run: str, out: Path | None, console: Console) -> None:
    """Writes the report of a run, by default into its directory, and says where it is."""
    refuse_labels(run)
    told = setting(Store(run))
    document = Document("", told.name, [], [], [])
    file = _file(run, out, "report.html")
    write(document, file)
    said = f"{file}, and its figures and tables in {file.with_suffix('')} ({len(contents(document))} files)"
    console.print(said, highlight=False, soft_wrap=True, markup=False)


def _file(run: str, out: Path | None, name: str) -> Path:
    """Where a page is to be written. Raises `OutError` where nobody says it of a run far away."""
    if out is None and "://" in run:
        raise OutError(f"{run} is not on this machine; say where to write the page with --out FILE.html")
    return out or Path(run) / name
