"""A hub on loopback with one model, which counts how often each of its files is fetched."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread

NAME, COMMIT = "org/name", "a" * 40


class Hub(ThreadingHTTPServer):
    """The model's files by path; `fetched` counts whole downloads."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = files
        self.fetched: Counter[str] = Counter()
        self.counting = Lock()
        self.endpoint = f"http://127.0.0.1:{self.server_address[1]}"

    def about(self, path: str) -> object:
        """What the API says of the model, or of its files where these are asked for."""
        if "/tree/" in path:
            return [
                {"type": "file", "path": name, "size": len(data), "oid": sha256(data).hexdigest()}
                for name, data in self.files.items()
            ]
        return {"id": NAME, "sha": COMMIT, "siblings": [{"rfilename": name} for name in self.files]}


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Hub

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def _answer(self, body: bool) -> None:
        path = self.path.split("?")[0]
        file = path.rpartition(f"/resolve/{COMMIT}/")[2]
        if path.startswith(f"/api/models/{NAME}"):
            self._send(json.dumps(self.server.about(path)).encode(), body)
        elif file in self.server.files:
            with self.server.counting:
                self.server.fetched[file] += body
            self._send(self.server.files[file], body)
        else:
            self.send_error(404)

    def _send(self, data: bytes, body: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("ETag", f'"{sha256(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.end_headers()
        if body:
            self.wfile.write(data)


@contextmanager
def running(hub: Hub) -> Iterator[Hub]:
    """The hub, until the block is left."""
    thread = Thread(target=hub.serve_forever)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        thread.join()
        hub.server_close()
