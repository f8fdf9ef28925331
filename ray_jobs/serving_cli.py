"""The commands of the `moot` command line about models: what is known, and serving them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ray_jobs.command_line import console, told

File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="An experiment file, or one with models alone.")
]
Chosen = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="NAME", help="Serve this model of the file only; may be given again."),
]
Cluster = Annotated[
    str | None,
    typer.Option("--address", help="The Ray cluster; default: RAY_ADDRESS, else Ray on this machine."),
]
Detach = Annotated[
    bool, typer.Option("--detach", help="Leave the models on the cluster of --address and return.")
]
Stop = Annotated[
    list[str] | None,
    typer.Option("--stop", metavar="NAME", help="End this served model instead; may be given again."),
]
Known = Annotated[str, typer.Argument(metavar="NAME", help="A name that moot models list prints.")]


def add_commands(app: typer.Typer, models: typer.Typer) -> None:
    """Adds `moot serve`, `moot models list` and `moot models show`."""
    app.command()(serve)
    models.command("list")(list_models)
    models.command()(show)


def serve(
    file: File = None,
    model: Chosen = None,
    address: Cluster = None,
    detach: Detach = False,
    stop: Stop = None,
) -> None:
    """Serve a file's models with backend: serve until Ctrl-C, so that several runs share them."""
    with told():
        from ray_jobs.serve_command import serve_models, stop_models

        if stop:
            stop_models(stop, address, console())
        else:
            serve_models(file, model, address, detach, console())


def list_models() -> None:
    """Print the models that an experiment may name by `from`."""
    with told():
        from ray_jobs.known_table import print_known

        print_known(console())


def show(name: Known) -> None:
    """Print what `from: NAME` stands for, as YAML, and what is to be known of the model."""
    with told():
        from ray_jobs.known_table import show_known

        show_known(name, console())
