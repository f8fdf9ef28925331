"""Sheets on which people label explanations: CSV, blind to verdict, model, seat and debate."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console

from protocols.seeds import draw
from protocols.spreadsheets import guarded
from protocols.values import MOST_VALUES, NONE
from ray_jobs.explanations import Explanation, explanations
from ray_jobs.located import ExperimentError
from ray_jobs.played import Played

CELLS = [f"value_{number}" for number in range(1, MOST_VALUES + 1)]
HEADER = ["id", "explanation", *CELLS]
"""An explanation that a spreadsheet would take for a formula stands there with an apostrophe before it."""


def write_sheet(run: str, file: Path, values: str, sample: int | None, seed: int, console: Console) -> None:
    """Writes the explanations of the run, or a random `sample` of so many, in an order drawn from `seed`.

    Beside it the list of values, CSV text, is written. Raises `ExperimentError` when there are not so
    many, or one of the files is there already.
    """
    chosen = _drawn(list(explanations(Played.of(run).store)), sample, seed, run)
    listed = file.with_suffix(".values.csv")
    for each in (file, listed):
        if each.exists():
            raise ExperimentError(f"--sheet: found {each}, which is there already; allowed: a new file")
    try:
        file.write_text(_csv(chosen), "utf-8-sig", newline="")
        listed.write_text(values, "utf-8-sig", newline="")
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


def _drawn(every: list[Explanation], sample: int | None, seed: int, run: str) -> list[Explanation]:
    if not every:
        raise ExperimentError(f"{run}: found no explanation in a debate that has ended")
    if sample is not None and sample > len(every):
        raise ExperimentError(f"--sample: found {sample}; allowed: at most {len(every)}, which the run has")
    return sorted(every, key=lambda each: (draw(seed, f"sheet {each.id}"), each.id))[:sample]


def _csv(chosen: Sequence[Explanation]) -> str:
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(HEADER)
    writer.writerows([each.id, guarded(each.text), *[""] * MOST_VALUES] for each in chosen)
    return out.getvalue()
