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
    """One time that an ask was with the backend of an agent; `answered` is endless when it died there."""

    agent: int
    asked: float
    answered: float


def answerings(record: Path) -> dict[str, list[Answering]]:
    """All times that each ask was put, in their order, as the witnesses tell."""
    begun: dict[tuple[str, str], tuple[float, str]] = {}
    ended: dict[tuple[str, str], float] = {}
    for line in record.read_text().splitlines():
        what, moment, agent, number, place = line.split(" ", 4)
        if what == "asked":
            begun[agent, number] = float(moment), place
        else:
            ended[agent, number] = float(moment)
    found: dict[str, list[Answering]] = defaultdict(list)
    for key, (asked, place) in begun.items():
        found[place].append(Answering(int(key[0]), asked, ended.get(key, inf)))
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
            at_work = [number for number in causes if kills[number].moment >= before.asked]
            vain[at_work[0] if at_work else causes[-1]].append(before)
    return vain


def check_asked_again(record: Path, kills: Sequence[Kill], in_flight: int, out: int) -> list[int]:
    """How many asks were put again after each kill.

    Without those that had just been answered these are at most the asks that were with what was killed:
    `in_flight` of one agent, or all that moderators have `out`, queued ones included.
    """
    vain = made_vain(record, kills)
    for kill, costs in zip(kills, vain, strict=True):
        unanswered = sum(each.answered > kill.moment for each in costs)
        most = in_flight if kill.victim in ("agent", "engine") else out
        assert unanswered <= most, f"{kill}: {unanswered} asks were put again, {most} can have been in flight"
    return [len(costs) for costs in vain]


def _may_cost(kill: Kill, before: Answering, after: Answering) -> bool:
    if kill.victim == "agent" and kill.process != before.agent:
        return False
    return kill.moment < after.asked and kill.moment - before.answered <= SAFE_SECONDS[kill.victim]
