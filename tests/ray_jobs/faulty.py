"""A server of remote models that fails now and then, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def faulty(faults: Mapping[str, float], port: int = 0) -> Iterator[str]:
    """The address of a faulty server in a process of its own."""
    command = [sys.executable, "-m", "tests.serving.faulty_server", "3", json.dumps(faults), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
