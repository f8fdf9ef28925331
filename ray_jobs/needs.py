"""What models need of a cluster: GPUs, or CPUs where it has none."""

from __future__ import annotations

from collections.abc import Mapping

from serving.blocks import ModelBlock
from serving.deployments import resources
from serving.serve_block import ServeBlock


def actors(block: ModelBlock) -> int:
    """How many actors answer for a model. One asks all that Ray Serve has of it."""
    return 1 if isinstance(block, ServeBlock) else block.replicas


def needs(block: ModelBlock, cluster: Mapping[str, float]) -> dict[str, float]:
    """What each actor of a model takes of the resources of Ray, or of one to be served all its engines."""
    if isinstance(block, ServeBlock):
        return {} if block.serve is not None else resources(block, on_cpu=not cluster.get("GPU", 0))
    if block.backend != "vllm":
        return {}
    return {"GPU": block.tensor_parallel} if cluster.get("GPU", 0) else {"CPU": 1}


def shortage(blocks: Mapping[str, ModelBlock], cluster: Mapping[str, float]) -> str:
    """The sum in words when the models together need more than the whole cluster has, else ""."""
    for resource in ("GPU", "CPU"):
        sums = {
            name: needs(block, cluster).get(resource, 0) * actors(block) for name, block in blocks.items()
        }
        has = cluster.get(resource, 0)
        if sum(sums.values()) > has:
            parts = " + ".join(f"{need:g} for {name}" for name, need in sums.items() if need)
            return f"the models need {sum(sums.values()):g} {resource}s ({parts}), the cluster has {has:g}"
    return ""
