"""The agents of a run: every replica of every model as an actor, from the start of the run to its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import RayTaskError

from ray_jobs.agent import CALLS, Agent
from ray_jobs.located import ExperimentError
from serving.blocks import ModelBlock

CLOSE_SECONDS = 30.0  # an engine that has not ended by then is killed with its actor


@dataclass(frozen=True, slots=True)
class Agents:
    """Open agents: the actors of each model's replicas, and how many asks all of them work on at once."""

    replicas: Mapping[str, list[Any]]
    in_flight: int


@contextmanager
def agents(blocks: Mapping[str, ModelBlock]) -> Iterator[Agents]:
    """Every replica of every model, open; ended when the block is left, however it is left.

    Raises `ExperimentError` when the cluster has not enough GPUs or CPUs for all of them, and the
    `ServingError` of a model that cannot be had.
    """
    cluster: Mapping[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    check_resources(blocks, cluster)
    actor: Any = ray.remote(Agent)
    started = {
        name: [actor.options(**_options(block, cluster)).remote(block) for _ in range(block.replicas)]
        for name, block in blocks.items()
    }
    every = [agent for replicas in started.values() for agent in replicas]
    try:
        opening = {agent.open.remote(): name for name, replicas in started.items() for agent in replicas}
        yield Agents(started, sum(_opened(name, ref) for ref, name in opening.items()))
    finally:
        closing = [agent.close.remote() for agent in every]
        ray.wait(closing, num_returns=len(closing), timeout=CLOSE_SECONDS)
        for agent in every:
            ray.kill(agent)


def check_resources(blocks: Mapping[str, ModelBlock], cluster: Mapping[str, float]) -> None:
    """Raises `ExperimentError` with the sum when the models need more than the whole cluster has."""
    for resource in ("GPU", "CPU"):
        needs = {
            name: _needs(block, cluster).get(resource, 0) * block.replicas for name, block in blocks.items()
        }
        has = cluster.get(resource, 0)
        if sum(needs.values()) > has:
            parts = " + ".join(f"{need:g} for {name}" for name, need in needs.items() if need)
            raise ExperimentError(
                f"the models need {sum(needs.values()):g} {resource}s ({parts}), the cluster has {has:g};"
                " lower replicas or tensor_parallel, or add nodes"
            )


def _opened(name: str, opening: Any) -> int:
    try:
        return int(ray.get(opening))
    except RayTaskError as error:
        raise ExperimentError(f"model '{name}' does not start: {error.cause}") from None


def _needs(block: ModelBlock, cluster: Mapping[str, float]) -> dict[str, float]:
    if block.backend != "vllm":
        return {}
    return {"GPU": block.tensor_parallel} if cluster.get("GPU", 0) else {"CPU": 1}


def _options(block: ModelBlock, cluster: Mapping[str, float]) -> dict[str, float]:
    needs = _needs(block, cluster)
    return {"num_cpus": needs.get("CPU", 0), "num_gpus": needs.get("GPU", 0), "max_concurrency": CALLS}
