"""What a cluster has, and what it can come to have where an autoscaler adds nodes to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ray

from ray_jobs.cluster.findings import Finding
from ray_jobs.cluster.growth import nodes_at_most
from ray_jobs.needs import Resources, fit, has, have_gpus, needs_of, sum_of
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
        needs = needs_of(blocks, self.gpus)
        if not needs or fit(needs, self.most) or fit(needs, self.now):
            return ""
        resource = needs[0].resource
        told = f"the models need {sum_of(needs)}; the cluster has {has(resource, self.now)}"
        more = f", and its autoscaler adds nodes up to {has(resource, self.most)}"
        return f"{told}{more if self.most != self.now else ''}"

    def finding(self, blocks: Mapping[str, ModelBlock]) -> Finding:
        """Whether the models have their places: all at once, one company after another, or some never."""
        needs = needs_of(blocks, self.gpus)
        if not needs:
            there = " and ".join(has(each, self.now) for each in ("GPU", "CPU"))
            return Finding("ok", "room", f"no model needs an engine on the cluster, which has {there}")
        for name, block in blocks.items():
            if short := self.shortage({name: block}):
                do = "lower replicas or tensor_parallel, or add nodes; each replica has its place on one node"
                return Finding("fail", "room", short, do)
        if short := self.shortage(blocks):
            return Finding("warn", "room", short, "they play one company after another")
        resource = needs[0].resource
        told = f"the models need {sum_of(needs)}; the cluster has {has(resource, self.now)}"
        if fit(needs, self.now):
            return Finding("ok", "room", told)
        do = f"the run waits until the autoscaler has added nodes, up to {has(resource, self.most)}"
        return Finding("warn", "room", told, do)
