"""Job servers for tests: one without a network, whose jobs end as they are told to, and one that is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from ray.dashboard.modules.job.pydantic_models import JobDetails, JobType
from ray.job_submission import JobStatus

from ray_jobs.submission.job_server import AlreadyThere


def details(job: str, status: JobStatus, **known: Any) -> JobDetails:
    """What a server tells of a job."""
    return JobDetails(type=JobType.SUBMISSION, submission_id=job, status=status, entrypoint="python", **known)


class Jobs:
    """Stands for `JobServer`. A job that is submitted ends, at the second look, with the next of `ends`."""

    address = "http://head:8265"
    ray_version = "2.60.0"

    def __init__(self, *ends: dict[str, Any] | None, before: Callable[[], None] = lambda: None) -> None:
        self._ends, self._before = list(ends), before
        self.known: dict[str, JobDetails] = {}
        self.sent: list[dict[str, Any]] = []
        self._seen: set[str] = set()

    def submit(
        self,
        job: str,
        entrypoint: str,
        folder: Path,
        metadata: Mapping[str, str],
        cpus: float = 0.0,
        memory: int = 0,
    ) -> None:
        if job in self.known:
            raise AlreadyThere(job)
        texts = {
            str(path.relative_to(folder)): path.read_bytes() for path in folder.glob("*.*") if path.is_file()
        }
        given = {"entrypoint": entrypoint, "metadata": metadata, "cpus": cpus, "memory": memory}
        self.sent.append({**given, "texts": texts})
        self.known[job] = details(job, JobStatus.RUNNING, metadata=dict(metadata))

    def jobs(self) -> list[JobDetails]:
        return list(self.known.values())

    def job(self, name: str) -> JobDetails | None:
        if name in self._seen:
            self._before()
            end = self._ends.pop(0)
            if end is None:
                del self.known[name]
                return None
            self.known[name] = self.known[name].model_copy(update=end)
        self._seen.add(name)
        return self.known[name]

    def log(self, job: str) -> str:
        assert job in self.known
        return "Running entrypoint for job x\nsaid by the run\n"


@contextmanager
def answering(status: int, body: object) -> Iterator[str]:
    """The address of an HTTP server that gives the same answer to everything."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
