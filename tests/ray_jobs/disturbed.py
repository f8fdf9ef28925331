"""A run that is disturbed: one of its starts, and whatever is killed of it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import psutil

from tests.ray_jobs.moot_runs import ENVIRONMENT, alive, family, wait_until
from tests.ray_jobs.two_nodes import TwoNodes

ROOT = Path(__file__).parents[2]
TITLES = {
    "agent": "ray::Agent",
    "moderator": "ray::Moderator",
    "treasury": "ray::Treasury",
    "engine": "EngineCore",
}
"""How processes are called: actors of Ray by their class, and the engine's core beside its agent."""


@dataclass(frozen=True, slots=True)
class Kill:
    """What was killed, when (in seconds since the epoch), and which process if it was just one.

    What a driver has started goes on until `over`: Ray ends it when it misses the driver.
    """

    victim: str
    moment: float
    process: int | None = None
    over: float | None = None


@dataclass
class Play:
    """A start of a run, on `nodes` or on its own, with every process that was ever seen to belong to it."""

    run: Path
    process: subprocess.Popen[bytes]
    nodes: TwoNodes | None = None
    seen: set[psutil.Process] = field(default_factory=set)

    @classmethod
    def start(
        cls, file: Path, run: Path, nodes: TwoNodes | None = None, told: BinaryIO | int = subprocess.DEVNULL
    ) -> "Play":
        """Starts the run, or goes on with it; what its agents are asked is written to `record(run)`."""
        words = ["-m", "tests.ray_jobs.witness", record(run), "run", file, "--out", run]
        command = [sys.executable, *map(str, words), *(nodes.words if nodes else ())]
        process = subprocess.Popen(
            command, cwd=ROOT, env=ENVIRONMENT, start_new_session=True, stdout=told, stderr=told
        )
        return cls(run, process, nodes)

    def under_way(self, patience: float = 60) -> bool:
        """Waits until more has been written to the log than there was; False when the run ended instead."""
        before = logged(self.run)
        wait_until(lambda: self.ended() or logged(self.run) != before, lambda: "nothing is played", patience)
        return not self.ended()

    def kill(self, victim: str) -> Kill | None:
        """Kills without warning: one process of this kind, the second node, or the driver with its group.

        None when there was none: the run has ended, or the node holds nothing of it.
        """
        if victim in TITLES:
            return self._kill_one(victim)
        if self.ended():
            return None
        kill = Kill(victim, time.time())
        if victim == "driver":
            self.stop()
            self._wait_until_gone()
            return replace(kill, over=time.time())
        assert self.nodes is not None
        if not any(map(_ours, self.nodes.on_second())):
            return None
        return Kill(victim, self.nodes.kill_second())

    def _kill_one(self, victim: str) -> Kill | None:
        killed: list[Kill] = []

        def landed() -> bool:
            killed.extend(filter(None, (_killed(victim, each) for each in self.of_kind(victim)[:1])))
            return bool(killed) or self.ended()

        wait_until(landed, lambda: f"there is no {victim} among {sorted(map(title, self.seen))}")
        if not killed:
            sys.stdout.write(f"the run ended, and of all that was seen no process was a live {victim}:\n")
            sys.stdout.writelines(f"{each} of {parent(each)}: {title(each)}\n" for each in self.seen)
        return killed[0] if killed else None

    def kill_all(self) -> bool:
        """Kills the driver and every actor at one blow; False when the run has ended before."""
        if self.ended():
            return False
        victims = [process for kind in TITLES for process in self.of_kind(kind)]
        self.stop()
        for process in victims:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._wait_until_gone()
        return True

    def stop(self) -> None:
        """Kills the driver and its group, if it has not ended."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def of_kind(self, kind: str) -> list[psutil.Process]:
        """The live processes of one kind, but for what they have just forked, which still has their title."""
        self._look()
        there = self.nodes.processes() if self.nodes else self.seen
        called = [process for process in there if alive(process) and TITLES[kind] in title(process)]
        return [process for process in called if parent(process) not in {other.pid for other in called}]

    def end(self) -> int:
        """The exit code, once nothing of the run is left, neither processes nor, on a cluster, actors."""
        wait_until(self.ended, lambda: "the run does not end", 240)
        self._wait_until_gone()
        if self.nodes:
            self.nodes.check_left()
        return self.process.returncode

    def ended(self) -> bool:
        """Whether the driver has ended, well or not."""
        self._look()
        return self.process.poll() is not None

    def _wait_until_gone(self) -> None:
        wait_until(lambda: not any(map(alive, self.seen)), lambda: "processes are left")
        wait_until(lambda: not any(map(self.of_kind, TITLES)), lambda: "actors are left")

    def _look(self) -> None:
        try:  # the newest objects: one that has missed its process once takes it for gone ever after
            self.seen = {*family(self.process.pid), *self.seen}
        except psutil.NoSuchProcess:
            return


def _killed(victim: str, process: psutil.Process) -> Kill | None:
    """Kills one process and waits until it is gone; None when it was gone before."""
    kill = Kill(victim, time.time(), process.pid)
    try:
        process.kill()
        process.wait(10)
    except psutil.NoSuchProcess:
        return None
    return kill


def _ours(process: psutil.Process) -> bool:
    return any(name in title(process) for name in TITLES.values())


def record(run: Path) -> Path:
    """Where the agents of a run leave what they were asked."""
    return run.with_suffix(".asked")


def title(process: psutil.Process) -> str:
    """What the process calls itself; Ray's actors tell their class in it."""
    try:
        return " ".join(process.cmdline()[:1])
    except psutil.NoSuchProcess:
        return ""


def parent(process: psutil.Process) -> int | None:
    """The id of the process that started it."""
    try:
        return process.ppid()
    except psutil.NoSuchProcess:
        return None


def logged(run: Path) -> int:
    """Bytes in the log."""
    sizes = []
    for segment in run.glob("log/*/*.arrow"):
        try:
            sizes.append(segment.stat().st_size)
        except FileNotFoundError:
            continue
    return sum(sizes)
