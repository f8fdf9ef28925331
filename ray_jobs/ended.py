"""Which debates have ended, as the tables tell, and which of a plan are left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ray_jobs.debate import Debates
from ray_jobs.ids import Numbers, among, id_numbers
from ray_jobs.parts import read_parts
from ray_jobs.plan import Plan
from ray_jobs.stages import Stage
from ray_jobs.store import Store

STANDINGS = ("agree", "disagree", "one_right", "unreadable", "verdict", "judgment")

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ended:
    """Debates that have ended, by the numbers that their ids spell, sorted: 9 bytes each.

    `standings` are those of the `finished` ones, as indices into `STANDINGS`; `failed` have none.
    """

    finished: Numbers
    standings: npt.NDArray[np.uint8]
    failed: Numbers

    @classmethod
    def of(cls, store: Store, failed_by: Collection[str] | None = None) -> Ended:
        """As the tables of the run say now. Of debates that failed, those under the claims `failed_by` have
        ended; all, if it is None.
        """
        numbers, standings = [np.empty(0, np.uint64)], [np.empty(0, np.uint8)]
        for part in read_parts(store, "debates", ["debate_id", "standing"]):
            numbers.append(id_numbers(part["debate_id"].to_pylist()))
            codes = [STANDINGS.index(standing) for standing in part["standing"].to_pylist()]
            standings.append(np.array(codes, np.uint8))
        finished = np.concatenate(numbers)
        order = np.argsort(finished)
        claims = [""] if failed_by is None else failed_by
        failed = [numbers[0], *(debates_in(store, "failures", claim) for claim in claims)]
        return cls(finished[order], np.concatenate(standings)[order], np.sort(np.concatenate(failed)))

    def beside(self, run: Ended) -> Ended:
        """What has ended here, among labels, and the finished debates of the run that they lie beside.

        The run's own judgments and labels are none of these.
        """
        debates = run.standings != STANDINGS.index("judgment")
        finished = np.concatenate([self.finished, run.finished[debates]])
        standings = np.concatenate([self.standings, run.standings[debates]])
        order = np.argsort(finished)
        return Ended(finished[order], standings[order], self.failed)

    @property
    def count(self) -> int:
        """How many debates have ended."""
        return len(np.union1d(self.finished, self.failed))

    def has(self, numbers: Numbers) -> Mask:
        """Which of `numbers` have ended."""
        return among(numbers, self.finished) | among(numbers, self.failed)

    def kept(self, numbers: Numbers, stage: Stage) -> Mask:
        """Which of `numbers` are finished with a standing that goes on into the stage."""
        there = among(numbers, self.finished)
        keeps = np.array([stage.keeps(standing) for standing in STANDINGS])
        there[there] = keeps[self.standings[np.searchsorted(self.finished, numbers[there])]]
        return there


@dataclass(frozen=True, slots=True)
class Extent:
    """How far one stage of a plan is: how many have `ended`, which are `left`, how many it is at `most`."""

    stage: str
    ended: int
    left: Debates
    most: int


def extents(plan: Plan, debates: Debates, ended: Ended, to_come: int = 0) -> Iterator[Extent]:
    """Of these debates and of all that follows from them, stage by stage, how far they are.

    What will follow from debates that have not ended themselves is not `left`: it comes by itself.
    `to_come` is how many more of these debates there may be.
    """
    left = debates.where(~ended.has(debates.numbers))
    yield Extent(debates.stage, len(debates) - len(left), left, len(debates) + to_come)
    for stage in plan.following(debates.stage):
        parents = debates.where(ended.kept(debates.numbers, stage))
        further = (len(left) + to_come) * len(stage.cells)
        yield from extents(plan, plan.onward(stage, parents), ended, further)


def debates_in(store: Store, table: str, writer: str = "") -> Numbers:
    """The debates that a table names, in parts of one writer or of all, as the numbers their ids spell."""
    parts = read_parts(store, table, ["debate_id"], writer)
    found = (id_numbers(part["debate_id"].to_pylist()) for part in parts)
    return np.concatenate([np.empty(0, np.uint64), *found])


def how_far(far: Sequence[Extent], ended: Ended) -> str:
    """In words, how far the stages of a plan are, and what else has ended that it does not hold."""
    debates, *stages = far
    done = f"{debates.ended:,} of {debates.most:,} debates have ended, {len(debates.left):,} are to play"
    further = [f"; {each.stage}: {each.ended:,} of at most {each.most:,} have ended" for each in stages]
    more = beyond(far, ended)
    also = f"; {more:,} further debates and judgments are there that this experiment does not plan"
    return "".join([done, *further, also if more else ""])


def beyond(far: Sequence[Extent], ended: Ended) -> int:
    """How many debates have ended that none of the stages holds."""
    return ended.count - sum(extent.ended for extent in far)
