"""The connection to Ray: a cluster that is there, or Ray on this machine for as long as it is needed."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import ray

import analysis
import protocols
import ray_jobs
import serving
from ray_jobs.located import ExperimentError


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Ray, on the cluster of `address` or RAY_ADDRESS, else started on this machine and ended again.

    A cluster is sent the project's packages, unless this process is itself a job with an environment.
    """
    address = address or os.environ.get("RAY_ADDRESS", "local")
    sent = address != "local" and "RAY_JOB_CONFIG_JSON_ENV_VAR" not in os.environ
    packages = [protocols, serving, ray_jobs, analysis]
    try:
        ray.init(
            address=address,
            include_dashboard=False if address == "local" else None,
            logging_level=logging.ERROR,
            log_to_driver=False,
            runtime_env={"py_modules": packages} if sent else None,
        )
    except Exception as error:  # noqa: BLE001 - Ray raises many kinds, some of them plain exceptions
        where = "start on this machine" if address == "local" else f"connect to {address}"
        raise ExperimentError(f"Ray did not {where}: {error}") from None
    before = signal.signal(signal.SIGTERM, _interrupt)  # Ray's own handler prints stacks and ends the process
    try:
        yield
    finally:
        ray.shutdown()
        signal.signal(signal.SIGTERM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """A request to end is met as one from the keyboard: what has been answered is brought to disk first."""
    raise KeyboardInterrupt
