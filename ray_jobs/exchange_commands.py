"""The commands `moot import` and `moot export`: published runs in, and runs out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ray_jobs.command_line import console, told
from ray_jobs.label_options import ValuesFile
from ray_jobs.options import RunFolder

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the published Parquet files.")]
NewRun = Annotated[
    str, typer.Option("--out", metavar="RUN", help="The run directory to write, a folder or an address.")
]
Cases = Annotated[
    Path | None,
    typer.Option(help="The dilemmas in the order of the rows, JSONL, CSV or Parquet; default: no texts."),
]
Format = Annotated[
    str | None, typer.Option(help="The published set whose form the file of --cases has (docs/questions.md).")
]
Limit = Annotated[
    int | None,
    typer.Option(
        min=1, max=1_000_000, help="So many of the cases, from the first; default: all of the file."
    ),
]
Name = Annotated[str, typer.Option(help="How the experiment of the run is called.")]
Judge = Annotated[str, typer.Option(help="How the judge is called who found the published values.")]
ReadFrom = Annotated[
    Literal["messages", "verdicts"],
    typer.Option("--read", help="Read verdicts from messages, where there are any, or from strings alone."),
]

To = Annotated[
    Literal["hf", "csv", "jsonl"],
    typer.Option(
        help="hf: a data set of the Hugging Face hub, with a card; csv: tables; jsonl: transcripts."
    ),
]
Out = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder to write, not there yet.")]
Licence = Annotated[
    str | None, typer.Option(help="The licence that the card of a data set names, such as cc-by-4.0.")
]

imports = typer.Typer(no_args_is_help=True)


def add_commands(app: typer.Typer) -> None:
    """Adds `moot import` and `moot export`."""
    app.add_typer(imports, name="import", help="Published runs of others as run directories.")
    app.command()(export)


@imports.callback()
def published() -> None:
    """Published runs of others as run directories."""


@imports.command("interaction-protocol")
def interaction_protocol(
    folder: Folder,
    out: NewRun,
    cases: Cases = None,
    format: Format = None,
    limit: Limit = None,
    name: Name = "interaction-protocol",
    judge: Judge = "published",
    values: ValuesFile = None,
    read: ReadFrom = "messages",
) -> None:
    """Read the debates of the study of interaction protocols into a run directory."""
    with told():
        from ray_jobs.label_options import values_of
        from ray_jobs.published.importing import Order, cases_of, import_study

        order = Order(folder, cases_of(cases, format, limit), name, judge, values_of(values), read)
        import_study(order, out, console())


def export(run: RunFolder, to: To, out: Out, licence: Licence = None) -> None:
    """Write a run as a folder for others, while it is played or afterwards."""
    with told():
        from ray_jobs.export.exporting import export_run

        export_run(run, to, out, licence, console())
