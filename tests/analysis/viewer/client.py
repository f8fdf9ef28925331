"""Asking a viewer without a browser."""

from collections.abc import Sequence
from pathlib import Path

from starlette.testclient import TestClient

from analysis.viewer.app import application
from analysis.viewer.progress import Progress
from analysis.viewer.shelf import Shelf

PORT, TOKEN = 8765, "a-token"
BASE = f"http://127.0.0.1:{PORT}"


def told(run: str) -> Progress:
    """What the viewer is told of any run."""
    return Progress(name=f"experiment of {Path(run).name}", state="is finished", live=False)


def client(runs: Sequence[Path | str], known: bool = True) -> TestClient:
    """A client of the viewer of these runs, with the cookie of one who knows the token, or without."""
    app = application(Shelf.of([str(run) for run in runs], told), TOKEN, PORT)
    cookies = {f"moot-{PORT}": TOKEN} if known else {}
    return TestClient(app, base_url=BASE, cookies=cookies, follow_redirects=False)
