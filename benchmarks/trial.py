"""One command against the mock server: what it took, seen from the server and from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from benchmarks.processes import Processes

Command = Sequence[str | Path]


@dataclass(frozen=True, slots=True)
class Counts:
    """What the server was asked: first ask and last reply in seconds since the epoch."""

    calls: int
    answered: int
    most_in_flight: int
    first: float
    last: float
    distinct: int
    which: str


@dataclass(frozen=True, slots=True)
class Trial:
    """What it took: `seconds` from first ask to last reply, CPU in that time and peak memory by process."""

    counts: Counts
    cpu: dict[str, float]
    megabytes: float

    @property
    def seconds(self) -> float:
        """From the first ask to the last reply."""
        return self.counts.last - self.counts.first

    @property
    def calls_per_second(self) -> float:
        """As the server saw them."""
        return self.counts.calls / self.seconds

    @property
    def milliseconds_per_call(self) -> float:
        """Of CPU, in all processes of the client."""
        return 1000 * sum(self.cpu.values()) / self.counts.calls


class Server:
    """The mock server at `url`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._root = url.removesuffix("/v1")

    def reset(self) -> None:
        """Forgets what was asked."""
        with urlopen(Request(f"{self._root}/reset", method="POST"), timeout=10):
            return

    @property
    def counts(self) -> Counts:
        """What was asked since."""
        with urlopen(f"{self._root}/count", timeout=10) as answer:
            return Counts(**json.load(answer))


@contextmanager
def mock_server(seconds: float) -> Iterator[Server]:
    """A server that takes `seconds` for a reply, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.mock_server", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(process.stdout.readline().strip())
        finally:
            process.terminate()


def run(server: Server, command: Command) -> Trial:
    """Has the command ask the server, and waits for its end. Ends the benchmark where it fails."""
    server.reset()
    with _started(command) as process, Processes(process.pid) as processes:
        process.wait()
    counts = server.counts
    return Trial(counts, processes.cpu(counts.first, counts.last), processes.peak_of_all)


def run_killed(server: Server, command: Command, calls: int) -> Counts:
    """Kills the command without warning after so many calls and begins it again.

    Returns what was asked by both. No question of the workload is asked twice but for the kill.
    """
    server.reset()
    with _started(command, killed=True) as process:
        while server.counts.calls < calls:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGKILL)
    time.sleep(1)  # for what it has started to end with it
    with _started(command) as process:
        process.wait()
    return server.counts


@contextmanager
def _started(command: Command, killed: bool = False) -> Iterator[subprocess.Popen[bytes]]:
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            list(map(str, command)), stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            yield process
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0 and not killed:
            said.seek(0)
            raise SystemExit(f"{' '.join(map(str, command))} failed:\n{said.read().decode()[-3000:]}")
