"""The command `moot power` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ray_jobs.command_line import console, told

ExperimentFile = Annotated[Path, typer.Argument(metavar="FILE", help="The experiment file, YAML.")]
Dilemmas = Annotated[
    str | None,
    typer.Option(
        metavar="N,N", help="Numbers of dilemmas to try; default: from a quarter to twice the file's."
    ),
]
Repetitions = Annotated[
    str | None,
    typer.Option(metavar="N,N", help="Numbers of repetitions to try; default: 1, 2, 5, the file's."),
]
Draws = Annotated[
    int | None, typer.Option(help="Simulated studies of each size; default: as many as the time allows.")
]
Estimator = Annotated[str, typer.Option(help="re, fe, l2, paper, pairwise or pairwise_same_model.")]
Seed = Annotated[int, typer.Option(help="Of all draws: the same seed gives the same figures.")]
TruthOption = Annotated[
    Path | None, typer.Option("--truth", metavar="FILE", help="What is true of the models, YAML.")
]
Like = Annotated[
    str | None, typer.Option(metavar="RUN", help="A pilot run; its models are simulated as a fit finds them.")
]
Steering = Annotated[str | None, typer.Option(help="Whose cells are simulated; default: the first.")]
Seconds = Annotated[float, typer.Option(help="How long draws may take; then there are fewer.")]
Processes = Annotated[int | None, typer.Option(help="That draw side by side; default: one for each CPU.")]
Folder = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="For the tables and the figure; default: power/<name>."),
]


def power(
    file: ExperimentFile,
    dilemmas: Dilemmas = None,
    repetitions: Repetitions = None,
    draws: Draws = None,
    estimator: Estimator = "re",
    seed: Seed = 0,
    truth: TruthOption = None,
    like: Like = None,
    steering: Steering = None,
    seconds: Seconds = 60.0,
    processes: Processes = None,
    out: Folder = None,
) -> None:
    """Print what an experiment would find out, by its size: precision, bias, power. No model is asked."""
    with told():
        from ray_jobs.power import print_power
        from ray_jobs.power_wish import CPUS, Wish, numbers

        wish = Wish(
            dilemmas=numbers("--dilemmas", dilemmas),
            repetitions=numbers("--repetitions", repetitions),
            draws=draws,
            estimator=estimator,
            seed=seed,
            truth=truth,
            like=like,
            steering=steering,
            seconds=seconds,
            processes=CPUS if processes is None else processes,
            out=out,
        )
        print_power(file, wish, console())
