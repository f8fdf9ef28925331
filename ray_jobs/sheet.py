"""Writing the sheet on which people label the explanations of a run."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from analysis.by_hand.drawing import SheetError, drawn
from analysis.by_hand.explanations import explanations
from analysis.by_hand.sheet import CELLS, ENCODING, csv_text, listed_beside
from protocols.values import NONE
from ray_jobs.located import ExperimentError
from ray_jobs.played import Played


def write_sheet(run: str, file: Path, values: str, sample: int | None, seed: int, console: Console) -> None:
    """Writes the explanations of the run, or a random `sample` of so many, in an order drawn from `seed`.

    Beside it the list of values, CSV text, is written. Raises `ExperimentError` when there are not so
    many, or one of the files is there already.
    """
    Played.of(run)
    try:
        chosen = drawn(explanations(run), sample, seed, run)
    except SheetError as error:
        raise ExperimentError(str(error)) from None
    listed = listed_beside(file)
    for each in (file, listed):
        if each.exists():
            raise ExperimentError(f"--sheet: found {each}, which is there already; allowed: a new file")
    try:
        file.write_text(csv_text(chosen), ENCODING, newline="")
        listed.write_text(values, ENCODING, newline="")
    except OSError as error:
        raise ExperimentError(f"--sheet: {file} cannot be written: {error.strerror}") from None
    console.print(
        f"{file}: {len(chosen):,} explanations, to be labelled by the values in {listed}. The word {NONE}"
        f" in {CELLS[0]} says that an explanation appeals to none; a row left empty is not labelled.\n"
        f"To read it back: moot label {run} --read {file} --judge NAME",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
