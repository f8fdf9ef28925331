"""The memory of a running study, by what its processes do."""

from __future__ import annotations

import threading

import psutil

SECONDS = 0.5
KINDS = {"ray::Moderator": "moderators", "ray::Agent": "agents"}


class Memory:
    """Peak resident megabytes of the driver, its moderators and its agents while it is entered.

    Processes are told apart by the name that Ray gives them; pages they share count in each.
    """

    def __init__(self, driver: int) -> None:
        self._driver = psutil.Process(driver)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._sample)
        self.peak = {"driver": 0.0, "moderators": 0.0, "agents": 0.0}

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._stop.wait(SECONDS):
            now = dict.fromkeys(self.peak, 0.0)
            try:
                for process in [self._driver, *self._driver.children(recursive=True)]:
                    name = process.cmdline()[0] if process.cmdline() else ""
                    kind = "driver" if process == self._driver else KINDS.get(name.split(".")[0])
                    if kind:
                        now[kind] += process.memory_info().rss / 2**20
            except psutil.NoSuchProcess:  # it ended while we looked; the next sample is complete
                continue
            self.peak = {kind: max(now[kind], self.peak[kind]) for kind in now}
