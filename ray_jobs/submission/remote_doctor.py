"""`moot doctor` on a cluster behind a job server: the checks run there, as a job, and are shown here."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from uuid import uuid4

from rich.console import Console

from ray_jobs.experiment import load_experiment
from ray_jobs.located import ExperimentError
from ray_jobs.submission.job_server import JobServer, refuse_other_ray, server_address
from ray_jobs.submission.order import complete
from ray_jobs.submission.outcome import Outcome
from ray_jobs.submission.shipment import STUDY, shipment
from ray_jobs.submission.watch import said_by_moot

LOOK_SECONDS = 1.0


def examine_there(file: Path | None, out: str | None, address: str, console: Console) -> bool:
    """Prints what the doctor has printed there; False when anything is in the way of a run."""
    experiment = None if file is None else load_experiment(file)
    if experiment is not None and out is None:
        raise ExperimentError(
            "a run on a cluster needs a run directory that all nodes share: give it with --out"
        )
    server = JobServer(server_address(address))
    refuse_other_ray(server)
    name = f"moot-doctor-{uuid4().hex[:8]}"
    words = ["python", "-m", "ray_jobs.cli", "doctor", *([] if experiment is None else [STUDY])]
    words += [] if out is None else ["--out", complete(out)]
    with shipment(experiment) as folder:
        server.submit(name, shlex.join(words), folder, {})
    while (job := server.job(name)) is not None and not job.status.is_terminal():
        time.sleep(LOOK_SECONDS)
    for line in said_by_moot(server.log(name).splitlines()):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    outcome = Outcome.of(job)
    if outcome.why:
        raise ExperimentError(f"the checks on {address} were broken off: {outcome.why}")
    return outcome.code == 0
