"""What a cluster has, and what it can come to have where an autoscaler adds nodes to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ray
from ray._private.state import state

from ray_jobs.cluster.findings import Finding, refuse
from ray_jobs.cluster.needs import Resources, fit, has, have_gpus, needs_of, sum_of
from serving.blocks import ModelBlock

UNBOUNDED = 1000  # nodes of a type of which an autoscaler may start as many as it likes


@dataclass(frozen=True, slots=True)
class Capacity:
    """The nodes that are there `now`, and those that may be there at `most`."""

    now: tuple[Resources, ...]
    most: tuple[Resources, ...]

    @classmethod
    def of_cluster(cls) -> Capacity:
        """Of the cluster that this process is connected to."""
        now = tuple(node["Resources"] for node in ray.nodes() if node["Alive"])  # type: ignore[no-untyped-call]
        config: Any = state.get_cluster_config()
        return cls(now, tuple(_configured(config)) if config and config.node_group_configs else now)

    @property
    def gpus(self) -> bool:
        """Whether engines are to run on GPUs."""
        return have_gpus(self.most) or have_gpus(self.now)

    def refuse(self, blocks: Mapping[str, ModelBlock]) -> None:
        """Raises `ExperimentError` with the sum for models that have no places at once, now or later."""
        refuse([self.finding(blocks)], warn=lambda _: None)

    def finding(self, blocks: Mapping[str, ModelBlock]) -> Finding:
        """Whether all replicas of all models have their places at once."""
        needs = needs_of(blocks, self.gpus)
        if not needs:
            there = " and ".join(has(each, self.now) for each in ("GPU", "CPU"))
            return Finding("ok", "the models", f"none needs an engine on the cluster, which has {there}")
        resource = needs[0].resource
        told = f"they need {sum_of(needs)}; the cluster has {has(resource, self.now)}"
        if fit(needs, self.now):
            return Finding("ok", "the models", told)
        if fit(needs, self.most):
            do = f"the run waits until the autoscaler has added nodes, up to {has(resource, self.most)}"
            return Finding("warn", "the models", told, do)
        if self.most != self.now:
            told += f", and its autoscaler adds no more than up to {has(resource, self.most)}"
        do = "each replica needs its place on one node: lower replicas or tensor_parallel, or add nodes"
        return Finding("fail", "the models", told, do)


def _configured(config: Any) -> Iterator[Resources]:
    """Every node that the configuration of the autoscaler allows."""
    for group in config.node_group_configs:
        for _ in range(group.max_count if group.max_count >= 0 else UNBOUNDED):
            yield dict(group.resources)
