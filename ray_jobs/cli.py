"""The `moot` command: what the user can mend ends in one message and exit code 2, never in a traceback.

Each command imports what it needs when it runs, so that `moot --help` does not wait for Ray.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from ray_jobs import model_commands
from ray_jobs.cluster_commands import add_commands as add_cluster_commands
from ray_jobs.label_options import (
    Judge,
    LabelsName,
    ModelsFile,
    Passes,
    Read,
    RetryAsks,
    Sample,
    Sheet,
    SheetSeed,
    ValuesFile,
)
from ray_jobs.power_command import power
from ray_jobs.serving_cli import add_commands

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
models = typer.Typer(no_args_is_help=True)
app.add_typer(
    models, name="models", help="Models that are known by name, and model folders that moot builds."
)


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


PIPE_WIDTH = 120  # columns where the output is no terminal and has no width of its own


def console() -> Console:
    """Standard output, as wide as the terminal, or wide enough for every table in a file or pipe."""
    out = Console()
    return out if out.is_terminal else Console(width=PIPE_WIDTH)


@contextmanager
def told() -> Iterator[None]:
    """Ends the process with the message of an error that the user can mend, and its exit code.

    2 for an error, 3 for a run that models have left incomplete, 4 for one that has ended with debates that
    failed, 130 for an interrupt.
    """
    from ray.exceptions import RayActorError

    from analysis.model.features import NothingToFit
    from analysis.part import PartError
    from analysis.replication.repetitions import CannotReplicate
    from analysis.replication.table1 import UnknownModel
    from analysis.report.errors import NothingInCommon, OutError
    from analysis.storage import AddressError
    from analysis.tables import RunNotFound
    from analysis.tally import UnknownColumn
    from analysis.values.taxonomy import TaxonomyError
    from protocols.record import LogMismatch
    from ray_jobs.crew import CrewLost
    from ray_jobs.driver import Incomplete, Stalled
    from ray_jobs.failed import DebatesFailed
    from ray_jobs.lease import LeaseLost
    from ray_jobs.located import ExperimentError
    from serving.errors import ServingError

    try:
        yield
    except (
        ExperimentError,
        AddressError,
        ServingError,
        RunNotFound,
        UnknownColumn,
        PartError,
        OutError,
        NothingInCommon,
        NothingToFit,
        CannotReplicate,
        UnknownModel,
        TaxonomyError,
        LogMismatch,
        LeaseLost,
        CrewLost,
        Stalled,
        RayActorError,
        OSError,
    ) as error:
        Console(stderr=True).print(f"[red]error:[/] {escape(str(error))}", highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    except Incomplete as error:
        Console(stderr=True).print(
            f"[yellow]incomplete:[/] {escape(str(error))}", highlight=False, soft_wrap=True
        )
        raise typer.Exit(3) from None
    except DebatesFailed as error:
        Console(stderr=True).print(
            f"[yellow]ended with failures:[/] {escape(str(error))}", highlight=False, soft_wrap=True
        )
        raise typer.Exit(4) from None
    except KeyboardInterrupt:
        Console(stderr=True).print("interrupted; what has been answered is kept, the same command goes on")
        raise typer.Exit(130) from None


@app.callback()
def moot(show_version: Version = False) -> None:
    """Studies of multi-agent LLM debate as batch jobs on Ray."""


@app.command()
def plan(file: ExperimentFile, prompts: ShowPrompts = False, like: Like = None) -> None:
    """Print an experiment's design: debates by cell, calls, tokens, cost, hours. Nothing is started."""
    with told():
        from ray_jobs.plan_table import print_plan, print_prompts

        if prompts:
            print_prompts(file, console())
        else:
            print_plan(file, console(), like)


@app.command()
def run(
    file: ExperimentFile,
    out: Out = None,
    address: Address = None,
    retry_failed: Retry = False,
    fork: Fork = None,
) -> None:
    """Play an experiment on Ray. The same command goes on with a run that was interrupted.

    Exit codes: 0 all is finished; 2 an error; 3 models stopped answering, and what needs them is unplayed;
    4 all has ended, but some debates failed.
    """
    with told():
        from ray_jobs.playthrough import play_experiment
        from ray_jobs.progress import Progress

        play_experiment(file, out, address, Progress(console()), retry_failed, fork)


@app.command()
def status(run: RunFolder) -> None:
    """Print how far a run is, while it is played or after it was interrupted."""
    with told():
        from ray_jobs.status_page import show_status

        show_status(run, console())


@app.command()
def show(run: RunFolder, debate: DebateId = None, by: By = None) -> None:
    """Print the result of a run, or one of its debates to read."""
    with told():
        from ray_jobs.show import show_debate, show_run

        if debate is None:
            show_run(run, by.split(",") if by else None, console())
        else:
            show_debate(run, debate, console())


@app.command()
def label(
    run: RunFolder,
    judge: Judge = None,
    passes: Passes = 1,
    values: ValuesFile = None,
    name: LabelsName = None,
    models: ModelsFile = None,
    address: Address = None,
    retry_failed: RetryAsks = False,
    sheet: Sheet = None,
    sample: Sample = None,
    seed: SheetSeed = 0,
    read: Read = None,
) -> None:
    """Label which values each explanation of a run appeals to, while it is played or afterwards.

    By a judge model; or by people, on a sheet that is written with --sheet and read back with --read.
    """
    with told():
        from ray_jobs.label_options import judge_of, person_of, refuse_both, values_of

        refuse_both(sheet, read, judge)
        if sheet is not None:
            from ray_jobs.sheet import write_sheet

            write_sheet(run, sheet, values_of(values), sample, seed, console())
        elif read is not None:
            from ray_jobs.sheet_reading import read_sheet

            read_sheet(run, read, person_of(judge), name, values_of(values), console())
        else:
            from ray_jobs.label_run import label_run
            from ray_jobs.labelling import Order
            from ray_jobs.progress import Progress

            order = Order(judge_of(judge), name or judge_of(judge), passes, values_of(values))
            label_run(run, order, models, address, Progress(console()), retry_failed)


@app.command()
def report(run: RunFolder, out: Page = None) -> None:
    """Write the report of a run as a page of HTML, its figures and tables as files beside it."""
    with told():
        from ray_jobs.report import report_run

        report_run(run, out, console())


@app.command()
def compare(run_a: RunA, run_b: RunB, out: Page = None) -> None:
    """Write how two runs of one design differ as a page of HTML, paired by case."""
    with told():
        from ray_jobs.compare import compare_runs

        compare_runs(run_a, run_b, out, console())


app.command()(model_commands.fit)
app.command()(model_commands.replicate)
app.command()(power)


@models.command()
def prepare(names: Annotated[list[str], typer.Argument(metavar="NAME...", help="smollm2 or tiny.")]) -> None:
    """Build model folders of the catalogue, where they are not there yet."""
    with told():
        from serving.catalogue import prepare as prepare_model

        for name in names:
            console().print(f"{name}: {prepare_model(name)}", highlight=False, soft_wrap=True)


add_cluster_commands(app, told, console)
add_commands(app, models)


def main() -> None:
    """Runs the command line."""
    app()


if __name__ == "__main__":
    main()
