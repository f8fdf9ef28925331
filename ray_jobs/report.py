"""`moot report`: a run as a page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from analysis.causal.reading import read_arms
from analysis.causal.study import causal
from analysis.counting import tallied
from analysis.measures.catalogue import VERDICTS
from analysis.model.features import NothingToFit
from analysis.model.reading import read_debates
from analysis.model.study import Study, study
from analysis.own_measure import MeasureError, OwnMeasure, own_measures, read_measure
from analysis.reliability.measure import reliability
from analysis.report.causal import causal_sections
from analysis.report.document import Document
from analysis.report.errors import OutError
from analysis.report.inertia import inertia
from analysis.report.oversight import oversight_sections
from analysis.report.page import check, write
from analysis.report.run import report
from analysis.report.values import BY
from analysis.summary import COUNTED
from analysis.values.measure import Choices, measure_values
from analysis.values.places import read_labels
from ray_jobs.claims import refuse_labels
from ray_jobs.connection import connected
from ray_jobs.own_sources import OWN
from ray_jobs.setting import setting
from ray_jobs.store import Store
from ray_jobs.studied import studied


def report_run(run: str, out: Path | None, console: Console, measures: Sequence[str] = ()) -> None:
    """Writes the report of a run, by default into its directory, and says where it is.

    `measures` are files with measures of one's own, FILE.py:NAME, which stand among the others.

    Raises `ExperimentError` for what is no run, `OutError` for a file that cannot be written.
    """
    refuse_labels(run)
    told = setting(Store(run))
    file = place(run, out, "report.html")
    here = partial(connected, None)
    labels = read_labels(run)
    values = measure_values(run, labels, Choices(by=BY), here)
    reliable = [reliability(each) for each in labels]
    fitted = _studied(run)
    fits = {} if isinstance(fitted, str) else fitted.fits
    arms = causal_sections(causal(read_arms(run), fits))
    modelled = [inertia(fitted), *arms, *oversight_sections(studied(run))]
    own = [own_measures(run, each, here) for each in map(_own, measures)]
    verdicts = (*VERDICTS, *own)
    tallies = tallied(run, COUNTED, here)
    tell(report(tallies, values, reliable, told, verdicts, modelled=modelled), file, console)


def _own(given: str) -> OwnMeasure:
    """The measure that is named as FILE.py:NAME."""
    named = OWN.fullmatch(given)
    if named is None or not named["name"]:
        raise MeasureError(f"--measure: found '{given}'; allowed: FILE.py:NAME")
    return read_measure(Path(named["file"]), named["name"])


def _studied(run: str) -> Study | str:
    """What the model of inertia and conformity says of a run, or why it says nothing."""
    try:
        return study(read_debates(run))
    except NothingToFit as lacks:
        return str(lacks)


def tell(document: Document, file: Path, console: Console) -> None:
    """Writes a page and says where it is."""
    beside = f"{write(document, file)} files of its figures and tables in {file.with_suffix('')}"
    console.print(f"{file}, with {beside}", highlight=False, soft_wrap=True, markup=False)


def place(run: str, out: Path | None, name: str) -> Path:
    """Where a page is to be written. Raises `OutError` where that cannot be, before anything is measured."""
    if out is None and "://" in run:
        raise OutError(f"{run} is not on this machine; say where to write the page with --out FILE.html")
    file = out or Path(run) / name
    check(file)
    return file
