"""`moot compare`: two runs of one design as a page."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rich.console import Console

from analysis.counting import tallied
from analysis.measures.catalogue import COUNTED
from analysis.report.compare import Side, compare
from analysis.report.errors import NothingInCommon
from ray_jobs.claims import earlier_claims, refuse_labels
from ray_jobs.connection import connected
from ray_jobs.differences import differences
from ray_jobs.experiment import Experiment
from ray_jobs.report import place, tell
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished


def compare_runs(one: str, other: str, out: Path | None, console: Console) -> None:
    """Writes the comparison of two runs, by default into the directory of the second, and says where it is.

    Raises `ExperimentError` for what is no run, `NothingInCommon` for runs without a common condition or
    case or a run and itself, `OutError` for a file that cannot be written.
    """
    for run in (one, other):
        refuse_labels(run)
    if _address(one) == _address(other):
        raise NothingInCommon(f"{one} and {other} are the same run; expected two runs of one design")
    still = [list(unfinished(Store(run))) for run in (one, other)]
    file = place(other, out, "compare.html")
    then, now = (Experiment.thawed(earlier_claims(Store(run))[-1].frozen) for run in (one, other))
    here = partial(connected, None)
    a, b = (
        Side(run, tallied(run, COUNTED, here), left) for run, left in zip((one, other), still, strict=True)
    )
    tell(compare(a, b, list(differences(then, now))), file, console)


def _address(run: str) -> str:
    """Where a run is, however it is written."""
    return run.rstrip("/") if "://" in run else str(Path(run).resolve())
