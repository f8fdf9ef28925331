"""Options and arguments of the command line that several commands share, or that take some words."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"moot {version('moot')}")
        raise typer.Exit


ExperimentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The experiment file, YAML.")]
Out = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="The run directory, a folder or an address such as s3://bucket/folder; default: runs/<name of"
        " the experiment>.",
    ),
]
Address = Annotated[
    str | None, typer.Option(help="A Ray cluster to join; default: RAY_ADDRESS, else this machine.")
]
Fork = Annotated[
    str | None,
    typer.Option(
        metavar="RUN", help="Another run; what was answered there to the same question is taken over."
    ),
]
Retry = Annotated[bool, typer.Option("--retry-failed", help="Play debates again that have failed.")]
RunFolder = Annotated[str, typer.Argument(metavar="RUN", help="The run directory.")]
ShowPrompts = Annotated[
    bool, typer.Option("--prompts", help="Print instead what a seat of each kind of cell is shown.")
]
Like = Annotated[
    str | None,
    typer.Option(metavar="RUN", help="A run in which it is measured how fast the same engines write."),
]
Version = Annotated[
    bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMNS",
        help="Pool over all but these and the stage, e.g. protocol,steering; default: none.",
    ),
]
Page = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="The page, such as report.html; default: in the (second) run directory."
    ),
]
RunA = Annotated[str, typer.Argument(metavar="RUN_A", help="The run directory to compare with.")]
RunB = Annotated[str, typer.Argument(metavar="RUN_B", help="The run directory that is compared.")]
DebateId = Annotated[
    str | None, typer.Argument(metavar="[DEBATE]", help="The id of a debate or judgment, or how it begins.")
]
OwnFile = Annotated[
    str,
    typer.Argument(metavar="FILE.py[:NAME]", help="The file, and a function of it; default: all of them."),
]
SeatsTried = Annotated[
    str | None, typer.Option("--seats", metavar="N,N", help="Sizes of panels to try it on; default: 2,3,5.")
]
Measures = Annotated[
    list[str] | None,
    typer.Option("--measure", metavar="FILE.py:NAME", help="A measure of one's own; may be given again."),
]
UsedIn = Annotated[
    Path | None,
    typer.Option("--file", metavar="FILE", help="An experiment: its panels, parameters and cases are tried."),
]
