"""The studies that are killed, and what a run of one must hold whatever was done to it."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ray_jobs.driver import staffing
from ray_jobs.log import Row
from serving.catalogue import prepare
from tests.ray_jobs.moot_runs import (
    check_as_played_here,
    check_whole,
    expected_tables,
    table,
    write_study,
)
from tests.ray_jobs.plays import steady

PROTOCOLS = ["synchronous", "round_robin"]
LATENCY = {"median": 0.3, "sigma": 0.3}


@dataclass
class Theatre:
    """A study of so many `seats` a debate, how many asks one of its agents works on, and how many all do.

    `undisturbed` is a run of it, where its debates cannot be played in this process.
    """

    file: Path
    in_flight: int
    at_once: int
    seats: int = 2
    undisturbed: Path | None = None

    @property
    def out(self) -> int:
        """Asks that moderators can have out at once: one for each seat of every open debate."""
        number, open_debates = staffing(self.at_once)
        return self.seats * number * open_debates

    def planned(self) -> Counter[str]:
        """Every debate, once."""
        if self.undisturbed:
            return Counter(row["debate_id"] for row in table(self.undisturbed, "debates"))
        return Counter(
            row["debate_id"] for row in expected_tables(self.file, self.file.read_text())["debates"]
        )

    def check(self, run: Path) -> None:
        """The tables are those of a run that nothing was killed of, but for times, attempts and claims.

        Of real engines also but for what they found in their caches, which die with them.
        """
        check_whole(run, self.file)
        if self.undisturbed is None:
            check_as_played_here(run, self.file)
            return
        for name in ("replies", "turns", "debates"):
            one, other = (uncached(each, name) for each in (run, self.undisturbed))
            assert one == other, f"{name} differ"


def simulated(folder: Path, replicas: int = 1) -> Theatre:
    """Three cells of two models over 25 cases, four times: about 20 seconds of play."""
    in_flight = 20 // replicas
    block = {"backend": "simulated", "latency": LATENCY, "in_flight": in_flight, "replicas": replicas}
    design = {"panels": [["a", "b"]], "protocols": PROTOCOLS}
    file = write_study(folder, 25, models={"a": block, "b": block}, seed=2, repetitions=4, **design)
    return Theatre(file, in_flight, 2 * replicas * in_flight)


def on_engine(folder: Path) -> Theatre:
    """A small study on the tiny model, which says the same again from the same seeds."""
    prepare("tiny")
    engine = {"max_num_seqs": 4, "max_model_len": 2048}
    model = {"backend": "vllm", "model": "tiny", "max_tokens": 24, "engine": engine}
    design = {"panels": [["t", "t"]], "protocols": PROTOCOLS, "answer": "text"}
    file = write_study(folder, 40, models={"t": model}, rounds=2, **design)
    return Theatre(file, in_flight=4, at_once=4)


def uncached(run: Path, name: str) -> list[Row]:
    """The steady rows of a table, without the tokens that came from an engine's cache."""
    return [{**row, "cached_tokens": None} for row in steady(table(run, name), name)]
