"""The memory of a running study, by what its processes do, sampled from /proc."""

from __future__ import annotations

import threading
from pathlib import Path

PAGE_MB = 4096 / 2**20
SECONDS = 0.5


class Memory:
    """Peak resident megabytes of the driver, the moderators and the agents while it is entered.

    Processes are told apart by the name that Ray gives them. Shared pages count in each.
    """

    def __init__(self, driver: int) -> None:
        self._driver = driver
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
            for process in Path("/proc").glob("[0-9]*"):
                try:
                    name = (process / "cmdline").read_bytes().split(b"\0")[0].decode()
                    pages = int((process / "statm").read_text().split()[1])
                except (OSError, IndexError):  # it ended while we looked
                    continue
                kind = "driver" if process.name == str(self._driver) else KINDS.get(name.split(".")[0])
                if kind:
                    now[kind] += pages * PAGE_MB
            self.peak = {kind: max(now[kind], self.peak[kind]) for kind in now}


KINDS = {"ray::Moderator": "moderators", "ray::Agent": "agents"}
