"""The commands `moot submit` and `moot doctor`, which `ray_jobs.cli` adds to its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ray_jobs.command_line import console, told
from ray_jobs.options import ExperimentFile, Fork, Retry

CheckedFile = Annotated[
    Path | None, typer.Argument(metavar="[FILE]", help="An experiment file, whose needs are added up.")
]
SharedOut = Annotated[
    str,
    typer.Option(
        metavar="DIR", help="The run directory: a folder that all nodes share, or s3://bucket/folder."
    ),
]
CheckedOut = Annotated[
    str | None, typer.Option(metavar="DIR", help="The run directory; default: runs/<name of the experiment>.")
]
Server = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="The cluster's job server; default: RAY_API_SERVER_ADDRESS, RAY_ADDRESS, http://localhost:8265.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="A job server (http://HEAD:8265) or a Ray cluster; default: RAY_ADDRESS, else this machine.",
    ),
]
Attempts = Annotated[
    int, typer.Option("--max-attempts", metavar="N", min=1, help="How often to submit it, if jobs are lost.")
]
Follow = Annotated[bool, typer.Option("--follow/--no-follow", help="Tell how it goes until it has ended.")]
DriverCpus = Annotated[
    float,
    typer.Option(
        "--entrypoint-num-cpus",
        metavar="N",
        min=0,
        max=10_000,
        help="CPUs for the driver; 0 starts it on the head node, which may have none.",
    ),
]
DriverMemory = Annotated[
    int,
    typer.Option(
        "--entrypoint-memory", metavar="BYTES", min=0, max=2**50, help="Memory for the driver, in bytes."
    ),
]


def add_commands(app: typer.Typer) -> None:
    """Adds both commands."""

    @app.command()
    def submit(
        file: ExperimentFile,
        out: SharedOut,
        address: Server = None,
        max_attempts: Attempts = 1,
        follow: Follow = True,
        retry_failed: Retry = False,
        fork: Fork = None,
        entrypoint_num_cpus: DriverCpus = 0.0,
        entrypoint_memory: DriverMemory = 0,
    ) -> None:
        """Play an experiment on a cluster as a Ray job; the same command goes on with it, or follows it.

        Exit codes as of moot run: 0 all is finished; 2 an error; 3 models stopped answering; 4 all has ended,
        but some debates failed; 130 the job was stopped, or is no longer followed.
        """
        with told():
            from ray_jobs.submission.order import Order, complete
            from ray_jobs.submission.submit import submit_experiment

            forked = () if fork is None else ("--fork", complete(fork))
            words = (*(["--retry-failed"] if retry_failed else []), *forked)
            output = console()
            code = submit_experiment(
                file,
                lambda experiment: Order(
                    experiment, complete(out), words, entrypoint_num_cpus, entrypoint_memory
                ),
                address,
                max_attempts,
                follow,
                lambda text: output.print(text, highlight=False, markup=False, soft_wrap=True),
            )
            if code:
                raise typer.Exit(code)

    @app.command()
    def doctor(file: CheckedFile = None, address: Cluster = None, out: CheckedOut = None) -> None:
        """Check versions, GPUs, disks, models and run directory, and for FILE whether the cluster will do.

        Each remote model of FILE is asked for one token, which is billed. Exit code 2 if anything fails.
        """
        with told():
            from ray_jobs.cluster.doctor import examine

            if not examine(file, out, address, console()):
                raise typer.Exit(2)
