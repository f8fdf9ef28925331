"""Random kills of runs: `python -m tests.ray_jobs.campaign KILLS [SEED]`, or `make faults`.

On a real engine the core beside it is killed; on a cluster of two nodes the second of them, too; on one
machine agents, moderators and the driver. The tables must be as if nothing had been killed.
"""

import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.ray_jobs.disturbed import Kill, Play
from tests.ray_jobs.tally import Tally
from tests.ray_jobs.theatre import Theatre, on_engine, simulated
from tests.ray_jobs.two_nodes import TwoNodes, two_nodes

STARTS = 3
ALONE = ("agent", "agent", "agent", "moderator", "moderator")
"""What may be killed in one start: of three deaths of a moderator the run gives up."""
ON_NODES = ("node", "node", "agent")
"""A moderator may die with a node as well."""
PATIENCE = 240.0  # until something is played: engines start slowly


def script(dice: random.Random, victims: Sequence[str]) -> list[str]:
    """Who is killed, one after the other: some of the victims, then the driver, and so with every start."""
    starts = [[*dice.sample(victims, dice.randint(2, len(victims))), "driver"] for _ in range(STARTS)]
    return [victim for start in starts for victim in start][:-1]


def disturb(
    theatre: Theatre, run: Path, victims: Sequence[str], dice: random.Random, nodes: TwoNodes | None = None
) -> list[Kill]:
    """Plays one run through its kills, as many as come before its end.

    Fails, with what was printed, when it does not end well.
    """
    kills = []
    words = run.with_suffix(".told")
    with words.open("wb") as told:
        play = Play.start(theatre.file, run, nodes, told)
        try:
            for victim in victims:
                if not play.under_way(PATIENCE):
                    break
                time.sleep(dice.uniform(0, 1.0))
                kill = play.kill(victim)
                if kill is None:
                    continue
                kills.append(kill)
                if victim == "driver":
                    play = Play.start(theatre.file, run, nodes, told)
            code = play.end()
        finally:
            play.stop()
    assert code == 0, f"exit code {code} after {kills}; printed:\n{words.read_text()}"
    return kills


def undisturbed(theatre: Theatre, run: Path) -> Path:
    """A run of the same study that nothing is killed of."""
    disturb(theatre, run, (), random.Random())
    return run


class Campaign:
    """Runs in a folder, one after the other, each killed as the dice of its number fall."""

    def __init__(self, folder: Path, seed: int, seconds: float) -> None:
        self._folder, self._seed, self._end = folder, seed, time.monotonic() + seconds
        self.tally = Tally()

    def play(
        self, theatre: Theatre, kills: int, victims: Sequence[str], nodes: TwoNodes | None = None
    ) -> None:
        """So many kills, or as many as there is time for, in as many runs as it takes."""
        left = kills
        while left > 0 and time.monotonic() < self._end:
            dice = random.Random(f"{self._seed} {self.tally.runs}")
            run = self._folder / f"run{self.tally.runs}"
            planned = script(dice, victims) if "engine" not in victims else list(victims)
            done = disturb(theatre, run, planned[:left], dice, nodes)
            self.tally.add(theatre, run, done)
            left -= len(done)


def campaign(folder: Path, kills: int, seed: int, seconds: float) -> Tally:
    """A sixteenth of the kills on an engine, a quarter on two nodes, the others on this machine."""
    engine, nodes = max(1, kills // 16), max(1, kills // 4)
    folders = [folder / name for name in ("engine", "nodes", "alone")]
    for each in folders:
        each.mkdir()
    played = Campaign(folder, seed, seconds)
    on_tiny = on_engine(folders[0])
    on_tiny.undisturbed = undisturbed(on_tiny, folder / "undisturbed")
    played.play(on_tiny, engine, ["engine"] * engine)
    with two_nodes() as cluster:
        played.play(simulated(folders[1], replicas=3), nodes, ON_NODES, cluster)
    played.play(simulated(folders[2]), kills - played.tally.kills.total(), ALONE)
    return played.tally


def main(kills: int, seed: int, seconds: float = 900) -> None:
    """Plays a campaign and prints what became of it."""
    with TemporaryDirectory() as folder:
        sys.stdout.write(f"{campaign(Path(folder), kills, seed, seconds)}\n")


if __name__ == "__main__":
    given: list[Any] = [int(word) for word in sys.argv[1:]]
    main(*(given + [50, 1][len(given) :]))
