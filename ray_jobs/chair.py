"""A moderator's chair: the actor in it, the debates it has been handed, and what its predecessors did."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayTaskError

from ray_jobs.line import Replica
from ray_jobs.moderator import CALLS, Moderator, Status, Task
from ray_jobs.parts import remove_leftovers
from ray_jobs.plan import Debate
from ray_jobs.run_directory import among, debates_in, id_numbers
from ray_jobs.store import Store

CLOSE_SECONDS = 300.0  # a moderator that has not brought all to disk by then is killed; its log stands
STATUS_SECONDS = 10.0  # a moderator that does not tell its status within this is asked again later


class Chair:
    """Moderator `number` of a run, with its open blocks by the call that plays them.

    Blocks that have ended are kept until the batch with the last of their debates is in the tables.
    """

    def __init__(self, number: int, task: Task, open_debates: int, replicas: Sequence[Replica]) -> None:
        self.number = number
        self.blocks: dict[Any, list[Debate]] = {}
        self._ended: list[tuple[int, list[Debate]]] = []
        self.deaths = 0
        self._handed = 0
        self._task, self._open_debates = task, open_debates
        self._past: list[Status] = []
        self._sit(replicas)

    @property
    def held(self) -> int:
        """Debates handed out and not ended, as far as is known: by blocks that ended, or by what was told."""
        told = self._handed - sum(status.finished + status.failed for status in self.statuses)
        return min(told, sum(map(len, self.blocks.values())))

    @property
    def statuses(self) -> list[Status]:
        """What this chair's moderators have done, each as it last told."""
        return [*self._past, self.status]

    def play(self, block: list[Debate]) -> None:
        """Hands out a block."""
        self._handed += len(block)
        self.blocks[self.actor.play.remote(block)] = block

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

        What the dead one held and had not brought to the tables is rebuilt from its log.
        """
        blocks = [*(block for _, block in self._ended), *self.blocks.values()]
        held = [debate for block in blocks for debate in block]
        remove_leftovers(store, self._writer)
        ended = debates_in(store, "debates", "failures")
        left = ~among(id_numbers(debate.debate_id for debate in held), ended)
        self.blocks, self._ended = {}, []
        past = [replace(each, finished=0, open=0, lost={}) for each in self.statuses]
        finished = self._handed - int(left.sum()) - sum(each.failed for each in past)
        self._past = [*past[:-1], replace(past[-1], finished=finished)]
        self.deaths += 1
        self._sit(replicas)
        again = [debate for debate, open in zip(held, left, strict=True) if open]
        self.blocks[self.actor.play.remote(again)] = again

    def write(self) -> None:
        """Brings to the tables what has ended."""
        ray.get(self.actor.write.remote())

    def close(self) -> None:
        """Brings to disk what is not there yet, and ends the actor; one that is dead has left its log."""
        try:
            with suppress(RayActorError, GetTimeoutError):
                ray.get(self.actor.close.remote(), timeout=CLOSE_SECONDS)
        except RayTaskError as error:
            raise error.cause from None
        finally:
            ray.kill(self.actor)

    def _sit(self, replicas: Sequence[Replica]) -> None:
        self._writer = f"{self._task.claim.id}-moderator{self.number}-{self.deaths}"
        remote: Any = ray.remote  # its annotations know no concurrency groups
        actor = remote(num_cpus=0, max_concurrency=CALLS, concurrency_groups={"status": 2})(Moderator)
        self.actor = actor.remote(self._writer, self._task, self._open_debates)
        self.status = Status.of({replica.model for replica in replicas})
        ray.get(self.actor.open.remote(replicas))
