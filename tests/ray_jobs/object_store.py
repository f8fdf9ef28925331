"""An object store to test against: moto's S3 server in a process of its own, which can be halted."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.request import Request, urlopen

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "someone",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_EC2_METADATA_DISABLED": "true",
}


class ObjectServer:
    """A server on a free port of this machine; what it holds is lost when it is closed."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.ray_jobs.object_store"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        self.host = self._process.stdout.readline().strip()
        assert self.host, "the server has not started"
        self._buckets = (f"bucket{number}" for number in count())

    def address(self, folder: str = "some/run") -> str:
        """An address in a new bucket."""
        bucket = next(self._buckets)
        self._send("PUT", bucket)
        return self.in_bucket(bucket, folder)

    def in_bucket(self, bucket: str, folder: str = "run") -> str:
        """An address in a bucket that may not be there."""
        return f"s3://{bucket}/{folder}?endpoint_override={self.host}&scheme=http"

    @contextmanager
    def strict(self) -> Iterator[None]:
        """Within the block, nobody's credentials are good for anything."""
        self._send("POST", "moto-api/reset-auth", b"0")
        try:
            yield
        finally:
            self._send("POST", "moto-api/reset-auth", b"inf")

    def halt(self, seconds: float) -> None:
        """For so long it takes connections and answers nothing, as a network does that is gone."""
        self._process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self._process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Ends the process."""
        self._process.kill()
        self._process.communicate()

    def _send(self, method: str, path: str, data: bytes | None = None) -> None:
        headers = {"Content-Type": "text/plain"}
        with urlopen(Request(f"http://{self.host}/{path}", data, headers, method=method)) as answer:
            assert answer.status == 200


def main() -> None:
    """Serves until standard input ends, which it does when the parent process does."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    sys.stdout.write(f"{host}:{port}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
