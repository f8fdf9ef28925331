"""`moot serve`: models on Ray Serve alone, for several runs to share."""

from __future__ import annotations

import os
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.connection import connected
from ray_jobs.crew import check_resources
from ray_jobs.located import ExperimentError, one_of
from ray_jobs.model_file import read_models
from ray_jobs.served import on_cluster, on_cpu
from serving import applications
from serving.serve_block import ServeBlock


def served_models(file: Path, names: list[str] | None) -> dict[str, ServeBlock]:
    """The models of a file that are to be served, under the names of their applications.

    Raises `ExperimentError` where there is none, or one that is asked for is not such a model.
    """
    there = {
        name: block
        for name, block in read_models(file).items()
        if isinstance(block, ServeBlock) and (block.serve is None or block.serve.application is not None)
    }
    for name in names or ():
        if name not in there:
            raise ExperimentError(
                f"{file}: found no model '{name}' with backend: serve that is to be deployed; allowed:"
                f" {one_of(there, name) or 'none: the file has no such model'}"
            )
    if not there:
        raise ExperimentError(f"{file}: found no model to serve; allowed: models with backend: serve")
    chosen = {name: block for name, block in there.items() if names is None or name in names}
    return {
        name if block.serve is None else str(block.serve.application): block.model_copy(
            update={"serve": None}
        )
        for name, block in chosen.items()
    }


def serve_models(
    file: Path | None, names: list[str] | None, address: str | None, detach: bool, console: Console
) -> None:
    """Deploys models and stays until it is interrupted, or with `detach` returns.

    Raises `ExperimentError` for a name that is in use, too small a cluster, or a model that does not start.
    """
    if file is None:
        raise ExperimentError("found no FILE; allowed: moot serve FILE, or moot serve --stop NAME")
    if detach and (address or os.environ.get("RAY_ADDRESS", "local")) == "local":
        raise ExperimentError(
            "--detach leaves models on a cluster, but Ray on this machine would end with this command;"
            " allowed: --address of a cluster (on one machine: ray start --head, then --address auto)"
        )
    models = served_models(file, names)
    with connected(address):
        check_resources(models, Capacity.of_cluster())
        on_cluster(applications.refuse_taken, list(models))
        keep = False
        try:
            console.print(f"deploying {', '.join(models)}", highlight=False)
            _print(models, on_cluster(applications.deploy, models, on_cpu()), console)
            keep = detach
            while not detach:
                time.sleep(1.0)
        except KeyboardInterrupt:
            console.print("taking the models down")
        finally:
            if not keep:
                on_cluster(applications.take_down, list(models))


def stop_models(names: list[str], address: str | None, console: Console) -> None:
    """Ends served models. Raises `ExperimentError` for a name that no application has."""
    with connected(address):
        for name in names:
            on_cluster(applications.address, name)
        on_cluster(applications.take_down, names)
        console.print(f"ended: {', '.join(names)}", highlight=False)


def _print(models: dict[str, ServeBlock], addresses: dict[str, str], console: Console) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("application", "model", "base_url"):
        table.add_column(heading, overflow="fold")
    for name, block in models.items():
        table.add_row(name, block.served_name, addresses[name])
    console.print(table)
    console.print(
        "a run on this cluster asks one by serve: {application: NAME} in its block of that model, any other"
        " by serve: {url: BASE_URL}",
        highlight=False,
        soft_wrap=True,
    )
