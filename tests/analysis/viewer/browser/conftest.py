"""A viewer of made-up runs, and Chromium to look at it.

The tests are skipped only where `chromium.sh` could not install it, with the reason: there they would say
nothing but that it is missing. On CI, and wherever it could be installed, that it is missing fails them.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Request,
    sync_playwright,
)

from analysis.report.page import write
from analysis.viewer.app import application
from analysis.viewer.shelf import Shelf
from tests.analysis.report.test_page import HOSTILE, document
from tests.analysis.viewer.client import TOKEN, told
from tests.analysis.viewer.hostile import Hostile
from tests.analysis.viewer.played import asked, moral

USUAL = ("status of 4", "document's frame is sandboxed")
"""What Chromium calls errors and is none: an answer that says no, and what Playwright tries in a sandbox."""

MISSING = "no chromium: sh tests/analysis/viewer/chromium.sh installs Debian's, CHROMIUM may name another"


def chromium() -> str:
    """Where Chromium is."""
    found = shutil.which(os.environ.get("CHROMIUM") or "chromium")
    if found:
        return found
    installable = os.geteuid() == 0 and shutil.which("apt-get")
    if installable or os.environ.get("CI"):
        pytest.fail(MISSING)
    pytest.skip(f"{MISSING}; that needs root and apt-get")


@dataclass(frozen=True)
class Viewer:
    """A viewer that answers at `address`: of `ladders`, `questions` and `hostile` in a folder."""

    address: str
    folder: Path


@pytest.fixture(scope="session")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """The viewer, for all tests."""
    folder = tmp_path_factory.mktemp("viewed")
    runs = [moral(folder / "ladders"), asked(folder / "questions"), moral(folder / "hostile", Hostile())]
    for run in runs:
        write(document(HOSTILE), run / "report.html")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        app = application(Shelf.of([str(run) for run in runs], told), TOKEN, port)
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield Viewer(f"http://127.0.0.1:{port}", folder)
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def browser(viewer: Viewer) -> Iterator[Browser]:
    """Chromium, for the tests of a module: while it runs, its thread can run no other event loop."""
    with sync_playwright() as play:
        started = play.chromium.launch(executable_path=chromium())
        yield started
        started.close()


@dataclass
class Watched:
    """What a page did that none may do: it asked elsewhere, opened a dialog, erred, or broke the policy."""

    address: str
    elsewhere: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        """From now on."""
        page.on("request", self._asked)
        page.on("dialog", self._opened)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._said)

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.elsewhere.append(request.url)

    def _opened(self, dialog: Dialog) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(usual in message.text for usual in USUAL):
            self.errors.append(message.text)


class Look:
    """A window of the browser that knows the token: opens pages of the viewer, and watches what they do."""

    def __init__(self, browser: Browser, viewer: Viewer, watched: Watched) -> None:
        self._browser, self._viewer, self.watched = browser, viewer, watched
        self.contexts: list[BrowserContext] = []

    def __call__(self, path: str, width: int = 1280, scheme: str = "light", **settings: Any) -> Page:
        """A new window of this width at a page."""
        size = {"width": width, "height": 900}
        context = self._browser.new_context(viewport=size, color_scheme=scheme, **settings)
        self.contexts.append(context)
        port = self._viewer.address.rpartition(":")[2]
        context.add_cookies([{"name": f"moot-{port}", "value": TOKEN, "url": self._viewer.address}])
        page = context.new_page()
        page.set_default_timeout(8_000)
        self.watched.watch(page)
        return self.go(page, path)

    def go(self, page: Page, path: str) -> Page:
        """The same window at another page, which is there."""
        answer = page.goto(f"{self._viewer.address}{path}")
        assert answer is not None
        assert answer.ok, f"{path}: {answer.status}"
        return page


@pytest.fixture
def look(browser: Browser, viewer: Viewer) -> Iterator[Look]:
    """Windows of which the test ends well only if none did what it may not."""
    watched = Watched(viewer.address)
    looking = Look(browser, viewer, watched)
    yield looking
    for context in looking.contexts:
        context.close()
    assert (watched.elsewhere, watched.dialogs, watched.errors) == ([], [], [])
