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


class Hub:
    """The model's files by path; `fetched` counts whole downloads."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        self.fetched: Counter[str] = Counter()
        self.counting = Lock()
        self.endpoint = ""


@contextmanager
def running(hub: Hub) -> Iterator[Hub]:
    """The hub, at the address that its `endpoint` says."""

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

        def _answer(self, body: bool) -> None:
            path = self.path.split("?")[0]
            file = path.rpartition(f"/resolve/{COMMIT}/")[2]
            if path.startswith(f"/api/models/{NAME}/tree/"):
                tree = [
                    {"type": "file", "path": each, "size": len(data), "oid": sha256(data).hexdigest()}
                    for each, data in hub.files.items()
                ]
                self._send(json.dumps(tree).encode(), body)
            elif path.startswith(f"/api/models/{NAME}"):
                listed = [{"rfilename": each, "size": len(data)} for each, data in hub.files.items()]
                self._send(json.dumps({"id": NAME, "sha": COMMIT, "siblings": listed}).encode(), body)
            elif file in hub.files:
                if body:
                    with hub.counting:
                        hub.fetched[file] += 1
                self._send(hub.files[file], body)
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

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
