"""The commands `moot fit`, `moot causal` and `moot replicate`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ray_jobs.command_line import console, told
from ray_jobs.located import ExperimentError
from ray_jobs.options import RunFolder

Estimator = Annotated[
    Literal["re", "fe", "l2", "paper", "jackknife", "pairwise", "pairwise_same_model"],
    typer.Option(help="How slopes are estimated; docs/model.md says what each assumes."),
]
PrevOf = Annotated[
    Literal["others", "all"], typer.Option(help="Whose verdicts of earlier rounds conformity counts.")
]
Window = Annotated[
    Literal["last", "cumulative"], typer.Option(help="Which rounds it counts: the last, or all before.")
]
Scale = Annotated[Literal["count", "share"], typer.Option(help="Whether it counts verdicts or their share.")]
MissingRow = Annotated[
    Literal["row", "debate"],
    typer.Option("--missing", help="What an unreadable verdict leaves out: its own row, or its debate."),
]
Steering = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Only debates of this steering; default: those without one, if any."),
]
Protocols = Annotated[bool, typer.Option("--protocols", help="Tell slopes apart by protocol as well.")]
Runs = Annotated[
    list[str],
    typer.Argument(metavar="RUN...", help="Run directories of one design, or one with repetitions."),
]
As = Annotated[
    list[str] | None,
    typer.Option(
        "--as",
        metavar="PAPER=MODEL",
        help="Which model stands for one of the paper's: gpt, claude or gemini. May be given several times.",
    ),
]
Folder = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Where to write the figures as CSV files.")
]


def fit(
    run: RunFolder,
    estimator: Estimator = "re",
    prev_of: PrevOf = "others",
    window: Window = "last",
    scale: Scale = "count",
    missing: MissingRow = "row",
    steering: Steering = None,
    protocols: Protocols = False,
) -> None:
    """Fit the multinomial model of inertia and conformity to the debates of a run."""
    with told():
        from analysis.model.convention import Convention
        from ray_jobs.fit import fit_run

        convention = Convention(prev_of, window, scale, missing)
        fit_run(run, estimator, convention, steering, protocols, console())


def causal(run: RunFolder) -> None:
    """Print what designed arms identify (seats asked again, planted verdicts), beside Eq. 2's estimates."""
    with told():
        from ray_jobs.causal import causal_run

        causal_run(run, console())


def replicate(
    runs: Runs,
    models: As = None,
    estimator: Estimator = "re",
    prev_of: PrevOf = "others",
    window: Window = "last",
    scale: Scale = "count",
    missing: MissingRow = "row",
    steering: Steering = None,
    out: Folder = None,
) -> None:
    """Compare the repetitions of one design, with each other and with the paper's Table 1."""
    with told():
        from analysis.model.convention import Convention
        from ray_jobs.replicate import replicate_runs

        convention = Convention(prev_of, window, scale, missing)
        replicate_runs(runs, pairs(models or []), estimator, convention, steering, out, console())


def pairs(given: list[str]) -> dict[str, str]:
    """The words of `--as` as a dictionary. Raises `ExperimentError` for one that is none."""
    found: dict[str, str] = {}
    for word in given:
        paper, equals, own = word.partition("=")
        if not (paper and equals and own):
            raise ExperimentError(f"--as {word}: expected PAPER=MODEL, such as gpt=my-model")
        if paper in found:
            raise ExperimentError(f"--as {word}: {paper} was given before, as {found[paper]}")
        found[paper] = own
    return found
