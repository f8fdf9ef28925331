"""What a campaign has done: kills, asks put again, and debates that were lost or doubled."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from tests.ray_jobs.asked_again import check_asked_again
from tests.ray_jobs.disturbed import Kill, record
from tests.ray_jobs.moot_runs import table
from tests.ray_jobs.theatre import Theatre


@dataclass
class Tally:
    """Kills and asks put again after each by kind, runs ended, debates lost and doubled."""

    kills: Counter[str] = field(default_factory=Counter)
    again: dict[str, list[int]] = field(default_factory=dict)
    runs: int = 0
    debates: int = 0
    lost: int = 0
    doubled: int = 0

    def add(self, theatre: Theatre, run: Path, kills: list[Kill]) -> None:
        """Takes in a run that has ended; fails if the kills have left a trace in it."""
        planned, found = theatre.planned(), Counter(row["debate_id"] for row in table(run, "debates"))
        self.runs += 1
        self.debates += planned.total()
        self.lost += (planned - found).total()
        self.doubled += (found - planned).total()
        theatre.check(run)
        again = check_asked_again(record(run), kills, theatre.in_flight, theatre.out)
        for kill, asks in zip(kills, again, strict=True):
            self.kills[kill.victim] += 1
            self.again.setdefault(kill.victim, []).append(asks)

    def __str__(self) -> str:
        lines = [
            f"{self.kills.total()} kills in {self.runs} runs of {self.debates} debates in all:"
            f" {self.lost} lost, {self.doubled} doubled"
        ]
        for kind, count in sorted(self.kills.items()):
            asks = self.again[kind]
            lines.append(
                f"{count:4} {kind:9}  asks put again: {mean(asks):.0f} on average, {max(asks)} at most"
            )
        return "\n".join(lines)
