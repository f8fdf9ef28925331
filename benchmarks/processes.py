"""CPU and memory of a running command, by what its processes do."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from typing import NamedTuple

import psutil

SECONDS = 0.25
KINDS = {"ray::Moderator": "moderators", "ray::Agent": "agents"}
OTHER = "others"


class Sample(NamedTuple):
    """At a `time`, the seconds of CPU used so far and the resident megabytes, by kind of process."""

    time: float
    cpu: dict[str, float]
    megabytes: dict[str, float]


class Processes:
    """Watches a command and all that it starts while it is entered.

    Kinds are `driver` (the command itself), `moderators`, `agents`, told by the names that Ray gives them,
    and `others`: Ray's own, engines. Pages that processes share count in each. What a process used last
    still counts after its end.
    """

    def __init__(self, command: int) -> None:
        self._command = psutil.Process(command)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._used: dict[int, tuple[str, float]] = {}
        self.samples: list[Sample] = []

    def __enter__(self) -> Processes:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def peak(self) -> dict[str, float]:
        """The most megabytes of each kind."""
        kinds = {kind for sample in self.samples for kind in sample.megabytes}
        return {kind: max(sample.megabytes.get(kind, 0.0) for sample in self.samples) for kind in kinds}

    @property
    def peak_of_all(self) -> float:
        """The most megabytes of all together."""
        return max(sum(sample.megabytes.values()) for sample in self.samples)

    def cpu(self, start: float, end: float) -> dict[str, float]:
        """Seconds of CPU by kind between two moments, in seconds since the epoch."""
        before, after = self._at(start), self._at(end)
        return {kind: used - before.get(kind, 0.0) for kind, used in after.items()}

    def _at(self, moment: float) -> dict[str, float]:
        """Seconds of CPU used until then, on a line between the two nearest samples."""
        earlier = [sample for sample in self.samples if sample.time <= moment] or self.samples[:1]
        later = [sample for sample in self.samples if sample.time > moment] or self.samples[-1:]
        one, other = earlier[-1], later[0]
        part = (moment - one.time) / (other.time - one.time) if other.time > one.time else 0.0
        return {kind: one.cpu.get(kind, 0.0) * (1 - part) + other.cpu[kind] * part for kind in other.cpu}

    def _watch(self) -> None:
        while not self._stop.wait(SECONDS):
            megabytes: dict[str, float] = defaultdict(float)
            try:
                for process in [self._command, *self._command.children(recursive=True)]:
                    self._look(process, megabytes)
            except (psutil.NoSuchProcess, psutil.ZombieProcess):  # it ended while we looked
                continue
            cpu: dict[str, float] = defaultdict(float)
            for kind, used in self._used.values():
                cpu[kind] += used
            self.samples.append(Sample(time.time(), dict(cpu), dict(megabytes)))

    def _look(self, process: psutil.Process, megabytes: dict[str, float]) -> None:
        name = (process.cmdline() or [""])[0]
        other = KINDS.get(name.split(".")[0], OTHER)
        kind = "driver" if process == self._command else other
        times = process.cpu_times()
        self._used[process.pid] = kind, times.user + times.system
        megabytes[kind] += process.memory_info().rss / 2**20
