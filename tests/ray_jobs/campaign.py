"""Random kills of simulated runs: `python -m tests.ray_jobs.campaign KILLS [SEED]`, or `make faults`.

Each run is killed, moderators, agents and the driver in turn as the dice fall, until it has ended all the
same. Then every debate must be in its tables once, and all of them as if nothing had been killed.
"""

import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import psutil

from tests.ray_jobs.moot_runs import (
    alive,
    check_as_played_here,
    check_whole,
    expected_tables,
    family,
    kill_group,
    start,
    table,
    wait_until,
    write_study,
)

ACTORS = {"agent": "ray::Agent", "moderator": "ray::Moderator"}
MOST = {"agent": 3, "moderator": 2, "driver": 2}
"""Kills of one start, and starts of one run: one more of an agent or moderator is a reason to give up."""
LATENCY = {"median": 0.3, "sigma": 0.3}


def write_campaign(folder: Path) -> Path:
    """Three cells of two models over 25 cases, four times: about 20 seconds of play."""
    model = {"backend": "simulated", "latency": LATENCY, "in_flight": 20}
    design = {"panels": [["a", "b"]], "protocols": ["synchronous", "round_robin"], "repetitions": 4}
    return write_study(folder, 25, models={"a": model, "b": model}, seed=2, **design)


@dataclass
class Play:
    """A start of a run, with every process that was ever seen to belong to it."""

    run: Path
    process: subprocess.Popen[bytes]
    seen: set[psutil.Process] = field(default_factory=set)

    @classmethod
    def start(cls, file: Path, run: Path, told: BinaryIO | int = subprocess.DEVNULL) -> "Play":
        """Starts the run, or goes on with it."""
        return cls(run, start("run", file, "--out", run, told=told))

    def under_way(self) -> bool:
        """Waits until more has been written to the log than there was; False when the run ended instead."""
        before = logged(self.run)
        wait_until(lambda: self.ended() or logged(self.run) != before, lambda: "nothing is played")
        return not self.ended()

    def kill(self, victim: str) -> None:
        """Kills one actor of this kind, or the driver and all that it has started, without warning."""
        self._look()
        if victim == "driver":
            kill_group(self.process)
            return
        wait_until(lambda: self.ended() or bool(self._actors(victim)), lambda: f"there is no {victim}")
        for process in self._actors(victim)[:1]:
            process.kill()
            process.wait(10)

    def end(self) -> int:
        """The exit code, once nothing that was ever seen of the run is left."""
        wait_until(self.ended, lambda: "the run does not end", 150)
        wait_until(lambda: not any(map(alive, self.seen)), lambda: "processes are left")
        return self.process.returncode

    def ended(self) -> bool:
        """Whether the driver has ended, well or not."""
        self._look()
        return self.process.poll() is not None

    def _look(self) -> None:
        try:
            self.seen.update(family(self.process))
        except psutil.NoSuchProcess:
            return

    def _actors(self, kind: str) -> list[psutil.Process]:
        self._look()
        return [
            process for process in self.seen if alive(process) and title(process).startswith(ACTORS[kind])
        ]


def title(process: psutil.Process) -> str:
    """What the process calls itself; Ray's actors tell their class in it."""
    try:
        return " ".join(process.cmdline()[:1])
    except psutil.NoSuchProcess:
        return ""


def logged(run: Path) -> int:
    """Bytes in the log."""
    sizes = []
    for segment in run.glob("log/*/*.arrow"):
        try:
            sizes.append(segment.stat().st_size)
        except FileNotFoundError:
            continue
    return sum(sizes)


@dataclass
class Tally:
    """What a campaign has done: kills by kind, runs ended, debates lost and doubled, asks put again."""

    kills: Counter[str] = field(default_factory=Counter)
    runs: int = 0
    debates: int = 0
    lost: int = 0
    doubled: int = 0
    asked_again: int = 0

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kills.items()))
        return (
            f"{self.kills.total()} kills ({kinds}) in {self.runs} runs of {self.debates} debates in all:"
            f" {self.lost} lost, {self.doubled} doubled; {self.asked_again} asks put to another agent"
        )


def campaign(folder: Path, seed: int, kills: int, seconds: float) -> Tally:
    """Kills so often, or for so long, whichever is less; every run that was begun is brought to its end."""
    file, tally, end = write_campaign(folder), Tally(), time.monotonic() + seconds
    expected = Counter(row["debate_id"] for row in expected_tables(file, file.read_text())["debates"])
    while tally.kills.total() < kills and time.monotonic() < end:
        run = folder / f"run{tally.runs}"
        dice = random.Random(f"{seed} {tally.runs}")
        play_to_end(file, run, dice, tally, kills if time.monotonic() < end else 0)
        found = Counter(row["debate_id"] for row in table(run, "debates"))
        tally.runs += 1
        tally.debates += expected.total()
        tally.lost += (expected - found).total()
        tally.doubled += (found - expected).total()
        tally.asked_again += sum(row["attempts"] - 1 for row in table(run, "replies"))
        check_whole(run, file)
        check_as_played_here(run, file)
    return tally


def play_to_end(file: Path, run: Path, dice: random.Random, tally: Tally, most: int) -> None:
    """Plays one run through all its kills. Fails, with what was printed, when it does not end well."""
    left, starts = Counter(MOST), MOST["driver"]
    words = run.with_suffix(".told")
    with words.open("wb") as told:
        play = Play.start(file, run, told)
        while +left and tally.kills.total() < most and play.under_way():
            time.sleep(dice.uniform(0, 1.0))
            victim = dice.choice(sorted(+left))
            if play.process.poll() is not None:
                break
            play.kill(victim)
            tally.kills[victim] += 1
            left[victim] -= 1
            if victim == "driver":
                starts -= 1
                left = Counter({**MOST, "driver": starts})
                play = Play.start(file, run, told)
        code = play.end()
    assert code == 0, f"exit code {code} after {tally}; printed:\n{words.read_text()}"


def main(kills: int, seed: int, seconds: float = 480) -> None:
    """Plays a campaign and prints what became of it."""
    with TemporaryDirectory() as folder:
        sys.stdout.write(f"{campaign(Path(folder), seed, kills, seconds)}\n")


if __name__ == "__main__":
    given: list[Any] = [int(word) for word in sys.argv[1:]]
    main(*(given + [50, 1][len(given) :]))
