"""The `moot` command: what the user can mend ends in one message and exit code 2, never in a traceback.

Each command imports what it needs when it runs, so that `moot --help` does not wait for Ray.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ray_jobs import exchange_commands, model_commands
from ray_jobs.cluster_commands import add_commands as add_cluster_commands
from ray_jobs.command_line import console, told
from ray_jobs.dilemmas_command import add_commands as add_dilemma_commands
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
from ray_jobs.options import (
    Address,
    By,
    DebateId,
    ExperimentFile,
    Fork,
    Like,
    Measures,
    Out,
    OwnFile,
    Page,
    Retry,
    RunA,
    RunB,
    RunFolder,
    SeatsTried,
    ShowPrompts,
    UsedIn,
    Version,
)
from ray_jobs.power_command import power
from ray_jobs.serving_cli import add_commands
from ray_jobs.view_command import view

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
models = typer.Typer(no_args_is_help=True)
app.add_typer(
    models, name="models", help="Models that are known by name, and model folders that moot builds."
)


@app.callback()
def moot(show_version: Version = False) -> None:
    """Studies of multi-agent LLM debate as batch jobs on Ray."""


@app.command()
def plan(file: ExperimentFile, prompts: ShowPrompts = False, like: Like = None) -> None:
    """Print an experiment's design: debates by cell, calls, tokens, cost, hours. Nothing is started."""
    with told():
        from ray_jobs.plan_table import print_plan
        from ray_jobs.prompts_page import print_prompts

        if prompts:
            print_prompts(file, console())
        else:
            print_plan(file, console(), like)


@app.command()
def check(given: OwnFile, seats: SeatsTried = None, file: UsedIn = None) -> None:
    """Try a protocol or a measure of one's own on scripted seats, and print who is shown what.

    Exit codes: 0 it keeps to the laws; 2 it does not.
    """
    with told():
        from ray_jobs.check_command import check_file, sizes_of

        if not check_file(given, sizes_of(seats), file, console()):
            raise typer.Exit(2)


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
def report(run: RunFolder, out: Page = None, measure: Measures = None) -> None:
    """Write the report of a run as a page of HTML, its figures and tables as files beside it."""
    with told():
        from ray_jobs.report import report_run

        report_run(run, out, console(), measure or [])


@app.command()
def compare(run_a: RunA, run_b: RunB, out: Page = None) -> None:
    """Write how two runs of one design differ as a page of HTML, paired by case."""
    with told():
        from ray_jobs.compare import compare_runs

        compare_runs(run_a, run_b, out, console())


app.command()(model_commands.fit)
app.command()(model_commands.causal)
app.command()(model_commands.replicate)
app.command()(power)
app.command()(view)


@models.command()
def prepare(names: Annotated[list[str], typer.Argument(metavar="NAME...", help="smollm2 or tiny.")]) -> None:
    """Build model folders of the catalogue, where they are not there yet."""
    with told():
        from serving.catalogue import prepare as prepare_model

        for name in names:
            console().print(f"{name}: {prepare_model(name)}", highlight=False, soft_wrap=True)


add_cluster_commands(app)
add_dilemma_commands(app)
add_commands(app, models)
exchange_commands.add_commands(app)


def main() -> None:
    """Runs the command line."""
    app()


if __name__ == "__main__":
    main()
