"""What a kill may make vain: asks in flight, and replies of the second before that were not on disk yet."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from pathlib import Path

from tests.ray_jobs.disturbed import Kill

SAFE_SECONDS = {"agent": 0.5, "engine": 0.5, "moderator": 2.5, "driver": 2.5, "node": 2.5}
"""How long before a kill a reply must have been given to be safe: in its moderator's hands, where only an
agent dies, else on disk, which takes the log a second. The rest is what two busy cores may add."""


@dataclass(frozen=True, slots=True)
class Answering:
    """One time that an ask was with the backend of an agent, in seconds since the epoch.

    `answered` is endless when it was not, and so is `ended` when it did not even fail, but died there.
    """

    agent: int
    asked: float
    answered: float
    ended: float

    def in_flight(self, moment: float) -> bool:
        """Whether it was with the backend then."""
        return self.asked <= moment < self.ended


def answerings(record: Path) -> dict[str, list[Answering]]:
    """All times that each ask was put, in their order, as the witnesses tell."""
    begun: dict[tuple[str, str], tuple[float, str]] = {}
    ended: dict[tuple[str, str], tuple[float, float]] = {}
    for line in record.read_text().splitlines():
        what, moment, agent, number, place = line.split(" ", 4)
        if what == "asked":
            begun[agent, number] = float(moment), place
        else:
            ended[agent, number] = float(moment) if what == "answered" else inf, float(moment)
    found: dict[str, list[Answering]] = defaultdict(list)
    for key, (asked, place) in begun.items():
        found[place].append(Answering(int(key[0]), asked, *ended.get(key, (inf, inf))))
    return {place: sorted(times, key=lambda each: each.asked) for place, times in found.items()}


def made_vain(record: Path, kills: Sequence[Kill]) -> list[list[Answering]]:
    """For each kill, the answerings whose asks were put again because of it.

    Fails for an ask that was put again although no kill can have cost its reply.
    """
    vain: list[list[Answering]] = [[] for _ in kills]
    for place, times in answerings(record).items():
        for before, after in pairwise(times):
            causes = [number for number, kill in enumerate(kills) if _may_cost(kill, before, after)]
            assert causes, f"{place}: put again though its reply was safe: {before}, {after}, {kills}"
            at_work = [number for number in causes if before.in_flight(kills[number].moment)]
            vain[at_work[0] if at_work else causes[-1]].append(before)
    return vain


def check_asked_again(record: Path, kills: Sequence[Kill], in_flight: int, out: int) -> list[int]:
    """How many asks were put again after each kill.

    Of one agent or engine these are at most its `in_flight`, beyond what it had just answered; of a
    moderator all that it had `out`, asks that wait at an agent included.
    """
    vain = made_vain(record, kills)
    for kill, costs in zip(kills, vain, strict=True):
        one = kill.victim in ("agent", "engine")
        end = kill.over or kill.moment
        cut = sum(each.in_flight(end) if one else each.answered > end for each in costs)
        most = in_flight if one else out
        assert cut <= most, f"{kill}: {cut} asks were put again, {most} can have been out"
    return [len(costs) for costs in vain]


def _may_cost(kill: Kill, before: Answering, after: Answering) -> bool:
    if kill.victim == "agent" and kill.process != before.agent:
        return False
    return kill.moment < after.asked and kill.moment - before.answered <= SAFE_SECONDS[kill.victim]
