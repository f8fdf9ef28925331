"""What a cluster has, and what it can come to have where an autoscaler adds nodes to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ray

from ray_jobs.cluster.findings import Finding
from ray_jobs.cluster.growth import nodes_at_most
from ray_jobs.needs import Need, Resources, fit, has, have_gpus, needs_of, sum_of
from serving.blocks import ModelBlock


@dataclass(frozen=True, slots=True)
class Capacity:
    """The nodes that are there `now`, and those that may be there at `most`."""

    now: tuple[Resources, ...]
    most: tuple[Resources, ...]

    @classmethod
    def of_cluster(cls) -> Capacity:
        """Of the cluster that this process is connected to."""
        now = tuple(node["Resources"] for node in ray.nodes() if node["Alive"])  # type: ignore[no-untyped-call]
        return cls(now, nodes_at_most() or now)

    @property
    def gpus(self) -> bool:
        """Whether engines are to run on GPUs."""
        return have_gpus(self.most) or have_gpus(self.now)

    def shortage(self, blocks: Mapping[str, ModelBlock]) -> str:
        """The sum in words when the models can never have their places at once, else ""."""
        for needs in self._needs(blocks):
            if not fit(needs, self.most) and not fit(needs, self.now):
                more = f", and its autoscaler adds nodes up to {has(needs[0].resource, self.most)}"
                return f"{self._told(needs)}{more if self.most != self.now else ''}"
        return ""

    def finding(self, blocks: Mapping[str, ModelBlock]) -> Finding:
        """Whether the models have their places: all at once, one company after another, or some never."""
        for name, block in blocks.items():
            if short := self.shortage({name: block}):
                do = "lower replicas or tensor_parallel, or add nodes; each replica has its place on one node"
                return Finding("fail", "room", short, do)
        if short := self.shortage(blocks):
            return Finding("warn", "room", short, "they play one company after another")
        all_needs = self._needs(blocks)
        for needs in all_needs:
            if not fit(needs, self.now):
                to_come = has(needs[0].resource, self.most)
                do = f"the run waits until the autoscaler has added nodes, up to {to_come}"
                return Finding("warn", "room", self._told(needs), do)
        if all_needs:
            return Finding("ok", "room", "; ".join(map(self._told, all_needs)))
        there = " and ".join(has(each, self.now) for each in ("GPU", "CPU"))
        return Finding("ok", "room", f"no model needs an engine on the cluster, which has {there}")

    def _needs(self, blocks: Mapping[str, ModelBlock]) -> list[list[Need]]:
        """What the models need of each resource of which they need any."""
        needs = needs_of(blocks, self.gpus)
        by_resource = ([need for need in needs if need.resource == each] for each in ("GPU", "CPU"))
        return [of_one for of_one in by_resource if of_one]

    def _told(self, needs: list[Need]) -> str:
        return f"the models need {sum_of(needs)}; the cluster has {has(needs[0].resource, self.now)}"
