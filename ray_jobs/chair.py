"""A moderator's chair: the actor in it, the debates it has been handed, and what its predecessors did."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayTaskError

from ray_jobs.crew import CrewLost
from ray_jobs.debate import Debate, Debates
from ray_jobs.ended import Ended, extents
from ray_jobs.line import Replica
from ray_jobs.moderator import CALLS, Moderator
from ray_jobs.parts import read_parts, remove_leftovers
from ray_jobs.plan import Plan
from ray_jobs.stage_block import DEBATES
from ray_jobs.status import Status, Task
from ray_jobs.store import Store

CLOSE_SECONDS = 300.0  # a moderator that has not brought all to disk by then is killed; its log stands
DEATHS = 3  # of a moderator in a row, without anything done between, after which the run ends
STATUS_SECONDS = 10.0  # a moderator that does not tell its status within this is asked again later


class Chair:
    """Moderator `number` of a run, with its open blocks by the call that plays them.

    Blocks that have ended are kept until the batch with the last of their debates is in the tables.
    """

    def __init__(
        self, number: int, task: Task, plan: Plan, open_debates: int, replicas: Sequence[Replica]
    ) -> None:
        self.number = number
        self.blocks: dict[Any, list[Debate]] = {}
        self._ended: list[tuple[int, list[Debate]]] = []
        self.deaths = 0
        self._task, self._plan, self._open_debates = task, plan, open_debates
        self._past: list[Status] = []
        self._handed = 0
        self._in_vain = 0
        self._sit(replicas)

    @property
    def held(self) -> int:
        """Debates handed out and not ended, as far as is known: by blocks that ended, or by what was told."""
        told: int = self._handed - self.status.ended
        return min(told, sum(map(len, self.blocks.values())))

    @property
    def statuses(self) -> list[Status]:
        """What this chair's moderators have done, each as it last told."""
        return [*self._past, self.status]

    def play(self, block: list[Debate]) -> None:
        """Hands out a block."""
        self._handed += len(block)
        self.blocks[self.actor.play.remote(block)] = block

    def all_handed_out(self) -> None:
        """Tells the moderator that no further debate will begin."""
        self.actor.all_begun.remote()

    def end(self, call: Any) -> None:
        """Takes note that a block has ended. Raises what suspended one of its debates."""
        self._ended.append((ray.get(call), self.blocks[call]))
        del self.blocks[call]

    def hear(self) -> None:
        """Asks how far the moderator is; what it told last stands when it does not answer."""
        try:
            self.status = ray.get(self.actor.status.remote(), timeout=STATUS_SECONDS)
        except (RayActorError, GetTimeoutError):
            return
        self._ended = [each for each in self._ended if each[0] >= self.status.batches]

    def where(self) -> list[str]:
        """What each open debate waits for, in a line each."""
        try:
            lines: list[str] = ray.get(self.actor.where.remote(), timeout=STATUS_SECONDS)
        except (RayActorError, GetTimeoutError) as error:
            lines = [f"moderator {self.number} does not say: {error!r}"]
        return lines

    def replace(self, store: Store, replicas: Sequence[Replica]) -> None:
        """Seats another moderator in place of one that died.

        What the dead one held and had not brought to the tables is rebuilt from its log. Raises `CrewLost`
        when moderators die again and again without anything being answered or ended between.
        """
        blocks = [*(block for _, block in self._ended), *self.blocks.values()]
        held = [debate for block in blocks for debate in block]
        remove_leftovers(store, self._writer)
        finished: Counter[Any] = Counter(self._in_tables(store, "debates", "stage", "standing"))
        failed: Counter[Any] = Counter(stage for (stage,) in self._in_tables(store, "failures", "stage"))
        self._past.append(dataclasses.replace(self.status, finished=finished, failed=failed, open=0, lost={}))
        self.blocks, self._ended = {}, []
        for replica in replicas:
            replica.agent.forget.remote(self._writer)
        while not self._seated(replicas):
            pass
        self.play(list(self._left(held, Ended.of(store, [self._task.claim.id]))))

    def _seated(self, replicas: Sequence[Replica]) -> bool:
        """Tries to seat the next moderator; False when it dies of that."""
        self._in_vain = 0 if self.status.moves else self._in_vain + 1
        if self._in_vain == DEATHS:
            raise CrewLost(
                f"moderator {self.number} died {DEATHS} times in a row and got nothing done between"
            )
        self.deaths += 1
        try:
            self._sit(replicas)
        except RayActorError:
            return False
        return True

    def _left(self, held: list[Debate], ended: Ended) -> Iterator[Debate]:
        """What is not in the tables, of these debates and of all that follows from them."""
        for stage in (DEBATES, *self._plan.stages):
            if of_stage := [debate for debate in held if debate.stage == stage]:
                for extent in extents(self._plan, Debates.of(of_stage), ended):
                    yield from extent.left

    def _in_tables(self, store: Store, table: str, *columns: str) -> Iterator[tuple[str, ...]]:
        """These columns of what this moderator has brought to the table."""
        for part in read_parts(store, table, columns, self._writer):
            yield from zip(*(part[name].to_pylist() for name in columns), strict=True)

    def write(self) -> None:
        """Brings to the tables what has ended."""
        ray.get(self.actor.write.remote())

    def close(self) -> None:
        """Brings to disk what is not there yet, and ends the actor; one that is dead has left its log."""
        try:
            with suppress(RayActorError, GetTimeoutError):
                self.status = ray.get(self.actor.close.remote(), timeout=CLOSE_SECONDS) or self.status
        except RayTaskError as error:
            raise error.cause from None
        finally:
            ray.kill(self.actor)

    def _sit(self, replicas: Sequence[Replica]) -> None:
        self._writer = f"{self._task.claim.id}-moderator{self.number}-{self.deaths}"
        remote: Any = ray.remote  # its annotations know no concurrency groups
        actor = remote(num_cpus=0, max_concurrency=CALLS, concurrency_groups={"status": 2})(Moderator)
        self.actor = actor.remote(self._writer, self._task, self._open_debates)
        self.status = Status.of({replica.model for replica in replicas}, [DEBATES, *self._plan.stages])
        self._handed = 0
        ray.get(self.actor.open.remote(replicas))
