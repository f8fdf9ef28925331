"""The crew of a run: every replica of every model as an actor, each replaced when it dies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError, RayTaskError

from ray_jobs.agent import CALLS, Agent, agent_name
from ray_jobs.cluster.capacity import Capacity
from ray_jobs.gauges import Gauges
from ray_jobs.line import Replica
from ray_jobs.located import ExperimentError
from ray_jobs.needs import actors, needs_of
from ray_jobs.readings import BudgetReading, GateReading
from ray_jobs.treasury import CALLS as TREASURY_CALLS
from ray_jobs.treasury import Funds, Treasury
from serving.blocks import ModelBlock, VllmBlock
from serving.limits.limits_block import Limits
from serving.remote_block import RemoteBlock
from serving.serve_block import ServeBlock

CLOSE_SECONDS = 40.0  # an engine that has not ended by then is killed with its actor
ASKED = (RemoteBlock, ServeBlock)  # what a client asks
DEATHS = (
    6  # of a replica in a row, without a reply between, after which the run ends; a guilty ask takes four
)


class CrewLost(RuntimeError):
    """A model whose replicas die again and again without answering anything."""


class Crew:
    """The actors. `replicas` are those that are open; `opening` tells which call opens which replica."""

    def __init__(self, blocks: Mapping[str, ModelBlock], funds: Funds | None = None) -> None:
        self._blocks, self._funds = blocks, funds
        self.models = frozenset(blocks)
        self._treasury: Any = None
        cluster = Capacity.of_cluster()
        check_resources(blocks, cluster)
        self._gpus = cluster.gpus
        self.replicas: dict[tuple[str, int], Replica] = {}
        self.opening: dict[Any, Replica] = {}
        self.in_flight = 0
        self._gauges = Gauges()
        self._deaths: dict[tuple[str, int], tuple[int, int]] = {}

    @property
    def limits(self) -> dict[str, Limits]:
        """Those of each model behind a server."""
        return {name: block.limits for name, block in self._blocks.items() if isinstance(block, ASKED)}

    def open_all(self) -> None:
        """Starts every replica and waits. Raises `ExperimentError` for a model that does not start.

        With funds their treasury is started first.
        """
        if self._funds is not None:
            actor: Any = ray.remote(Treasury)
            options = {"num_cpus": 0, "max_concurrency": TREASURY_CALLS}
            self._treasury = actor.options(**options).remote(self._funds)
            ray.get(self._treasury.accounts.remote())  # it is there
        for name, block in self._blocks.items():
            for number in range(actors(block)):
                self._start(name, number, 0)
        while self.opening:
            opening, replica = next(iter(self.opening.items()))
            try:
                self.in_flight += ray.get(opening)
            except RayTaskError as error:
                raise ExperimentError(f"model '{replica.model}' does not start: {error.cause}") from None
            except RayActorError:
                self.settle(opening)  # it was killed, which says nothing about its model
            else:
                self._opened(opening)

    def replace(self, model: str, number: int, generation: int, reason: str, calls: int) -> bool:
        """Starts another actor in the place of one that is gone; False when that has been done already.

        `calls` is how many replies the model has given so far. Raises `CrewLost` when this replica has
        died `DEATHS` times without any coming between.
        """
        replica = self.replicas.get((model, number))
        if replica is None or replica.generation != generation:
            return False
        self._count_death(replica, reason, calls)
        del self.replicas[model, number]
        ray.kill(replica.agent)
        if self._treasury is not None:
            self._treasury.forfeit.remote(agent_name(model, number, generation))
        self._start(model, number, generation + 1)
        return True

    def settle(self, opening: Any) -> Replica | None:
        """The replica that is now open; None when it did not start, and another start was made.

        Raises `CrewLost` when starts fail `DEATHS` times in a row.
        """
        try:
            ray.get(opening)
        except RayError as error:
            failed = self.opening.pop(opening)
            ray.kill(failed.agent)
            self._count_death(failed, str(error), None)
            self._start(failed.model, failed.number, failed.generation + 1)
            return None
        return self._opened(opening)

    def read(self, patience: float) -> tuple[list[GateReading], BudgetReading | None]:
        """How the gates of remote models and the budget stand, as far as was told; for people."""
        asked: dict[tuple[str, int] | None, Callable[[], Any]] = {
            place: replica.agent.condition.remote
            for place, replica in self.replicas.items()
            if isinstance(self._blocks[replica.model], ASKED)
        }
        if self._treasury is not None:
            asked[None] = self._treasury.accounts.remote
        told = self._gauges.read(asked, patience)
        accounts = told.pop(None, None)
        gates = [GateReading(model, number, told[model, number]) for model, number in sorted(told)]
        return gates, None if accounts is None else BudgetReading.of(accounts)

    def close(self) -> None:
        """Ends every engine, and every actor with it; the treasury last."""
        every = [replica.agent for replica in [*self.replicas.values(), *self.opening.values()]]
        closing = [agent.close.remote() for agent in every]
        ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        for agent in every:
            ray.kill(agent)
        if self._treasury is not None:
            ray.wait([self._treasury.close.remote()], timeout=CLOSE_SECONDS)
            ray.kill(self._treasury)

    def _start(self, model: str, number: int, generation: int) -> None:
        block = self._blocks[model]
        actor: Any = ray.remote(Agent)
        paid = self._funds is not None and self._funds.pays(block)
        agent = actor.options(**_options(model, block, self._gpus)).remote(
            block, agent_name(model, number, generation), self._treasury if paid else None, number
        )
        self.opening[agent.open.remote()] = Replica(model, number, generation, agent)

    def _opened(self, opening: Any) -> Replica:
        replica = self.opening.pop(opening)
        self.replicas[replica.model, replica.number] = replica
        return replica

    def _count_death(self, replica: Replica, reason: str, calls: int | None) -> None:
        """Deaths count by replica: a node that is lost takes many of one model at once."""
        place = replica.model, replica.number
        deaths, before = self._deaths.get(place, (0, 0))
        calls = before if calls is None else calls
        deaths = deaths + 1 if calls == before else 1
        self._deaths[place] = deaths, calls
        if deaths == DEATHS:
            raise CrewLost(
                f"replica {replica.number} of model '{replica.model}' died {DEATHS} times without a reply"
                f" between; at last: {reason}"
            )


@contextmanager
def crew(blocks: Mapping[str, ModelBlock], funds: Funds | None = None) -> Iterator[Crew]:
    """Every replica of every model, open; ended when the block is left, however it is left.

    With `funds`, no agent asks anything that they do not pay for.

    Raises `ExperimentError` when the cluster has not enough GPUs or CPUs for all of them, and for a
    model that does not start.
    """
    started = Crew(blocks, funds)
    try:
        started.open_all()
        yield started
    finally:
        started.close()


def check_resources(blocks: Mapping[str, ModelBlock], cluster: Capacity) -> None:
    """Raises `ExperimentError` with the sum when the models need more than the whole cluster has."""
    if short := cluster.shortage(blocks):
        raise ExperimentError(f"{short}; lower replicas or tensor_parallel, or add nodes")


def _options(name: str, block: ModelBlock, gpus: bool) -> dict[str, object]:
    """What Ray is to give the actor; engines on CPUs are spread over the nodes, whose cores they share."""
    needs = needs_of({name: block}, gpus) if isinstance(block, VllmBlock) else []
    on = {need.resource: need.each for need in needs}
    return {
        "num_cpus": on.get("CPU", 0),
        "num_gpus": on.get("GPU", 0),
        "max_concurrency": CALLS,
        "scheduling_strategy": "SPREAD" if "CPU" in on else "DEFAULT",
    }
