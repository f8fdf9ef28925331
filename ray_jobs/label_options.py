"""The options of `moot label`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Judge = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="The model that labels; with --read, the name of the person who did."),
]
Passes = Annotated[int, typer.Option(min=1, max=1000, help="How often every explanation is labelled.")]
ValuesFile = Annotated[
    Path | None, typer.Option("--values", help="A list of values, CSV; default: the 48 that moot has.")
]
LabelsName = Annotated[
    str | None,
    typer.Option("--name", help="The labels lie in RUN/judgments/NAME; default: the name of the judge."),
]
ModelsFile = Annotated[
    Path | None,
    typer.Option("--models", help="A YAML file with the judge under models, if it is none of the run's."),
]
RetryAsks = Annotated[
    bool, typer.Option("--retry-failed", help="Ask the judge again where judgments have failed.")
]
Sheet = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write a sheet to be labelled by hand to this CSV file.")
]
Sample = Annotated[
    int | None, typer.Option(min=1, help="So many explanations of the run on the sheet, drawn by --seed.")
]
SheetSeed = Annotated[int, typer.Option("--seed", help="Of the order on the sheet and of the sample.")]
Read = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Read a sheet that was labelled by hand, by --judge.")
]


def judge_of(judge: str | None) -> str:
    """The model that labels. Raises `ExperimentError` when none is named."""
    from ray_jobs.located import ExperimentError

    if judge is None:
        raise ExperimentError("found no --judge; allowed: --judge MODEL, or --sheet FILE for labels by hand")
    return judge


def person_of(judge: str | None) -> str:
    """The person who filled a sheet. Raises `ExperimentError` when nobody is named."""
    from ray_jobs.located import ExperimentError

    if judge is None:
        raise ExperimentError(
            "found --read without --judge; allowed: --judge NAME, of the person who labelled"
        )
    return judge


def refuse_both(sheet: Path | None, read: Path | None, judge: str | None) -> None:
    """Raises `ExperimentError` when a sheet is to be written and one to be read, or somebody to label too."""
    from ray_jobs.located import ExperimentError

    if sheet is not None and read is not None:
        raise ExperimentError("found --sheet beside --read; allowed: one of them")
    if sheet is not None and judge is not None:
        raise ExperimentError(
            f"found --judge {judge} beside --sheet; allowed: --sheet alone; who labelled it is told when it"
            " comes back: --read FILE --judge NAME"
        )


def values_of(file: Path | None) -> str:
    """The list of values in the file, or else the built-in one, as CSV text."""
    from protocols.values import VALUES_48, write_taxonomy
    from ray_jobs.values_file import read_values

    return write_taxonomy(VALUES_48) if file is None else read_values(file)
