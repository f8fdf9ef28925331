"""`moot replicate`: the repetitions of one design against each other and the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
from rich.console import Console
from rich.text import Text

from analysis.model.convention import Convention
from analysis.model.reading import read_debates, read_failed, steered
from analysis.replication.files import write_files
from analysis.replication.page import page
from analysis.replication.repetitions import repetitions
from analysis.replication.replicate import replicate
from ray_jobs.claims import earlier_claims, refuse_labels
from ray_jobs.differences import differences
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.store import Store
from ray_jobs.unfinished import unfinished


def replicate_runs(
    runs: Sequence[str],
    models: Mapping[str, str],
    estimator: str,
    convention: Convention,
    steering: str | None,
    out: Path | None,
    console: Console,
) -> None:
    """Prints what the repetitions of runs say, and writes their figures into the folder `out`.

    Raises `ExperimentError` for what is no run or the same run twice, `CannotReplicate`, `UnknownModel`,
    `NothingToFit`, `OSError` for a folder that cannot be written.
    """
    _refuse(runs)
    notes, played = [], {}
    for name, run in zip(_names(runs), runs, strict=True):
        notes += [*_before(run, runs[0])]
        turns, failed, note = _read(run, steering)
        notes += [f"{run}: {note}"] if note else []
        played[name] = (turns, failed)
    found = replicate(repetitions(played), models, estimator, convention)
    for said in notes:
        console.print(Text(said, style="yellow"))
    console.print(page(found))
    if out is not None:
        console.print(f"\n{write_files(found, out)} files in {out}", highlight=False, markup=False)


def _refuse(runs: Sequence[str]) -> None:
    """Raises `ExperimentError` for labels, and for a run that is named twice."""
    for run in runs:
        refuse_labels(run)
    places = [run.rstrip("/") if "://" in run else str(Path(run).resolve()) for run in runs]
    for place, run in zip(places, runs, strict=True):
        if places.count(place) > 1:
            raise ExperimentError(f"{run} is named twice; name each run once")


def _names(runs: Sequence[str]) -> list[str]:
    """The last part of where each run is, where that tells them apart; else the whole."""
    last = [run.rstrip("/").rpartition("/")[2] for run in runs]
    return last if len(set(last)) == len(runs) else list(runs)


def _before(run: str, first: str) -> Iterator[str]:
    """What of a run is not finished, and how its experiment differs from that of the first."""
    store = Store(run)
    yield from unfinished(store)
    if run == first or not (claims := earlier_claims(store)) or not (others := earlier_claims(Store(first))):
        return
    then, now = (Experiment.thawed(each[-1].frozen) for each in (others, claims))
    yield from (f"{run} differs from {first} in {line}" for line in differences(then, now))


def _read(run: str, steering: str | None) -> tuple[pd.DataFrame, pd.DataFrame, str]:
    """The turns of the debates, the failed debates, and what was left out."""
    turns = read_debates(run)
    kept, note = steered(turns, steering) if len(turns) else (turns, "")
    failed = read_failed(run)
    own = failed["steering"].isin(set(kept["steering"])) & failed["stage"].isin(set(kept["stage"]))
    return kept, failed[own], note
