"""The job server of a cluster: Ray's own client, with deadlines and with messages that say what to do."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import ray
import requests
from ray.dashboard.modules.job.pydantic_models import JobDetails
from ray.exceptions import AuthenticationError
from ray.job_submission import JobSubmissionClient
from tenacity import Retrying, retry_if_exception_message, stop_after_delay, wait_fixed

from ray_jobs.connection import refuse_closed
from ray_jobs.located import ExperimentError

DEFAULT = "http://localhost:8265"
VARIABLES = ("RAY_API_SERVER_ADDRESS", "RAY_ADDRESS")
EXPECTED = "expected the address of a job server, such as http://HEAD:8265"
SHOWN = 200  # characters of what something else than a job server answers
YOUNG = "No available agent to submit job"  # what a cluster says whose head is not ready for jobs
YOUNG_SECONDS = 60.0
DEADLINE = (5.0, 30.0)
"""Seconds for a connection, and between two bytes of an answer."""


for _name in ("ray.dashboard.modules.dashboard_sdk", "ray._private.runtime_env.packaging"):
    logging.getLogger(_name).setLevel(logging.WARNING)  # what is sent is said in our own words


class NoAnswer(ConnectionError):
    """The job server does not answer now."""


class AlreadyThere(ValueError):
    """Somebody else has just submitted a job of this name."""


class _Client(JobSubmissionClient):
    """Ray's client waits for an answer without end."""

    def _do_request(self, method: str, endpoint: str, **given: Any) -> requests.Response:
        answer: requests.Response = super()._do_request(method, endpoint, timeout=DEADLINE, **given)
        return answer


def server_address(address: str | None) -> str:
    """The address in full: the one that is given, else of the environment, else of this machine."""
    given = address or next(filter(None, map(os.environ.get, VARIABLES)), DEFAULT)
    given = given if "://" in given else f"http://{given}"
    try:
        parts = urlsplit(given)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        sound = sound and not any(sign.isspace() or not sign.isprintable() for sign in given)
    except ValueError:  # no port has such a number, no host such a name
        sound = False
    if "@" in given:
        raise ExperimentError(
            "--address: found a user or a password in it (not repeated here), which every message would"
            f" show; {EXPECTED}, and a cluster's token in RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH"
        )
    if not sound or parts.query or parts.fragment:
        raise ExperimentError(f"--address: found '{given}'; {EXPECTED}")
    return given.rstrip("/")


class JobServer:
    """The server at an address. Making one raises `ExperimentError` within seconds if it cannot be used."""

    def __init__(self, address: str) -> None:
        self.address = address
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}[parts.scheme]
        refuse_closed(address, parts.hostname or "", port)
        self._client = self._connect()

    @property
    def ray_version(self) -> str:
        """Of the cluster."""
        return str(self._client._server_ray_version)

    def submit(
        self,
        job: str,
        entrypoint: str,
        folder: Path,
        metadata: Mapping[str, str],
        cpus: float = 0.0,
        memory: int = 0,
    ) -> None:
        """Sends the folder and starts the job, its driver with these resources, else on the head node.

        A cluster that has just come up and has nobody yet to take a job is asked again for `YOUNG_SECONDS`.
        Raises `AlreadyThere` for a job that was submitted meanwhile, `ExperimentError` for one that is not
        taken, and `NoAnswer`.
        """
        send = partial(
            self._client.submit_job,
            entrypoint=entrypoint,
            submission_id=job,
            runtime_env={"working_dir": str(folder)},
            metadata=dict(metadata),
            entrypoint_num_cpus=cpus or None,
            entrypoint_memory=memory or None,
        )
        tries = Retrying(
            retry=retry_if_exception_message(match=f".*{YOUNG}"),
            wait=wait_fixed(1.0),
            stop=stop_after_delay(YOUNG_SECONDS),
            reraise=True,
        )
        with self._answering():
            try:
                tries(send)
            except (RuntimeError, ValueError) as error:
                if self.job(job) is not None:
                    raise AlreadyThere(f"{self.address} has the job {job} already") from None
                raise ExperimentError(f"{self.address} did not take the job {job}: {error}") from None

    def jobs(self) -> list[JobDetails]:
        """All that the cluster knows of that were submitted. Raises `NoAnswer`."""
        with self._answering():
            return [job for job in self._client.list_jobs() if job.submission_id]

    def job(self, name: str) -> JobDetails | None:
        """One of them; None where the cluster does not know it (any more). Raises `NoAnswer`."""
        return next((job for job in self.jobs() if job.submission_id == name), None)

    def log(self, job: str) -> str:
        """What the job has printed so far. Raises `NoAnswer`."""
        with self._answering():
            try:
                return str(self._client.get_job_logs(job))
            except RuntimeError:  # its node is gone, and the log with it
                return ""

    def _connect(self) -> _Client:
        """A client; Ray would prefer an address of the environment to the one that it is given."""
        kept = {name: os.environ.pop(name) for name in VARIABLES if name in os.environ}
        try:
            return _Client(self.address)
        except (AuthenticationError, OSError, RuntimeError, ValueError, KeyError, TypeError) as error:
            raise ExperimentError(
                f"{self.address} is no job server that can be used: {_in_short(error)}; {EXPECTED}, as"
                " ray start --head and ray dashboard print it"
            ) from None
        finally:
            os.environ.update(kept)

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except (requests.ConnectionError, requests.Timeout, ConnectionError) as error:
            raise NoAnswer(f"{self.address} does not answer: {error}") from None


def _in_short(error: Exception) -> str:
    """What went wrong, on one line, for it may hold a whole page of some other server."""
    told = " ".join(str(error).split())
    return told if len(told) <= SHOWN else f"{told[:SHOWN]}..."


def refuse_other_ray(server: JobServer) -> None:
    """Raises `ExperimentError` when the cluster runs another Ray than moot is made for."""
    here, there = ray.__version__, server.ray_version
    if here != there:
        raise ExperimentError(
            f"the cluster at {server.address} runs Ray {there}, this moot is made for Ray {here}; start the"
            f" cluster from an image of that version, such as rayproject/ray:{here}-py311"
        )
