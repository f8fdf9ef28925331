"""The connection to Ray: a cluster that is there, or Ray on this machine for as long as it is needed."""

from __future__ import annotations

import logging
import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import ray

import analysis
import protocols
import ray_jobs
import serving
from ray_jobs.located import ExperimentError

IN_JOB = "RAY_JOB_CONFIG_JSON_ENV_VAR"  # what Ray sets for the driver of a job that was submitted
_SETTINGS = b"\0\0\0\x04\0\0\0\0\0"  # an empty frame of the kind with which both sides of HTTP/2 begin
ANSWER_SECONDS = 5.0  # within which whoever has an address must take a connection


def joins_cluster(address: str | None) -> bool:
    """Whether that address, or else RAY_ADDRESS, names a cluster; where neither does, Ray starts here."""
    return (address or os.environ.get("RAY_ADDRESS", "local")) != "local"


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """Ray, on the cluster of `address` or RAY_ADDRESS, else started on this machine and ended again.

    A cluster is sent the project's packages, unless this process is itself a job with an environment. Raises
    `ExperimentError` where Ray does not start, and within seconds where nobody has that address.
    """
    address = address or os.environ.get("RAY_ADDRESS", "local")
    refuse_silent(address)
    sent = address != "local" and IN_JOB not in os.environ
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


def refuse_silent(address: str) -> None:
    """Raises `ExperimentError` for the address of a job server, or one at which nobody takes a connection."""
    if address.startswith(("http://", "https://")):
        raise ExperimentError(
            f"{address} is the address of a job server, to which moot submit sends experiments; expected that"
            " of a Ray cluster that this machine belongs to, such as HOST:6379 or auto"
        )
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit() and 0 < int(port) < 2**16:
        refuse_closed(address, host.strip("[]"), int(port))
        if os.environ.get("RAY_USE_TLS", "0").lower() not in ("1", "true"):
            _refuse_other_service(address, host.strip("[]"), int(port))
    elif address not in ("local", "auto") and "://" not in address.removeprefix("ray://"):
        raise ExperimentError(f"--address: found '{address}'; expected HOST:PORT of a Ray cluster, or auto")


def refuse_closed(address: str, host: str, port: int) -> None:
    """Raises `ExperimentError` unless somebody takes a connection there, within a few seconds."""
    try:
        socket.create_connection((host, port), ANSWER_SECONDS).close()
    except OSError as error:
        raise ExperimentError(
            f"nobody answers at {address}: {error}; check the address, that the cluster is up, and that this"
            " machine may reach it"
        ) from None


def _refuse_other_service(address: str, host: str, port: int) -> None:
    """Raises `ExperimentError` unless HTTP/2 is spoken there, as by all of Ray, which waits many minutes."""
    greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    try:
        with socket.create_connection((host, port), ANSWER_SECONDS) as there:
            there.sendall(greeting + _SETTINGS)
            answer = there.makefile("rb").read(len(_SETTINGS))
    except OSError:
        answer = b""
    if answer[3:4] != _SETTINGS[3:4]:
        raise ExperimentError(
            f"{address} is no Ray cluster; expected the HOST:PORT that ray start --head prints,"
            " with port 6379 unless another was chosen"
        )


def refuse_job_folder(out: str) -> None:
    """Raises `ExperimentError` for a run directory within the folder of a job, which ends with the job."""
    if IN_JOB in os.environ and "://" not in out and not Path(out).is_absolute():
        raise ExperimentError(
            f"--out: found '{out}', which in a Ray job is a folder of that job alone and is removed with it;"
            " expected a folder that all nodes share, in full, or an address such as s3://BUCKET/FOLDER"
        )


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """A request to end is met as one from the keyboard: what has been answered is brought to disk first."""
    raise KeyboardInterrupt
