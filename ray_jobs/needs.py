"""What models need of a cluster, and whether its nodes can hold that all at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from serving.blocks import ModelBlock, VllmBlock
from serving.deployments import resources
from serving.serve_block import ServeBlock

Resource = Literal["GPU", "CPU"]
Resources = Mapping[str, float]
"""Of one node: how much it has of each resource, by Ray's names."""


@dataclass(frozen=True, slots=True)
class Need:
    """So many replicas of a model, each with so much of a resource on one and the same node."""

    model: str
    replicas: int
    each: int
    resource: Resource

    @property
    def total(self) -> int:
        """Of all replicas."""
        return self.replicas * self.each

    def __str__(self) -> str:
        units = f"{self.each} {self.resource}{'s' if self.each > 1 else ''}"
        return f"{self.replicas} × {units} for {self.model}"


def actors(block: ModelBlock) -> int:
    """How many actors answer for a model. One asks all that Ray Serve has of it."""
    return 1 if isinstance(block, ServeBlock) else block.replicas


def needs_of(blocks: Mapping[str, ModelBlock], gpus: bool) -> list[Need]:
    """What the models need that run on the cluster, with `gpus` of these, else of CPUs.

    What Ray Serve deploys may lie on several nodes, unit by unit, where an engine is wider than one node.
    """
    needs: list[Need] = []
    for name, block in blocks.items():
        if isinstance(block, VllmBlock):
            each: tuple[int, Resource] = (block.tensor_parallel, "GPU") if gpus else (1, "CPU")
            needs.append(Need(name, block.replicas, *each))
        elif isinstance(block, ServeBlock) and block.serve is None:
            needs += _served(name, block, gpus)
    return needs


def _served(name: str, block: ServeBlock, gpus: bool) -> Iterator[Need]:
    """Of the fewest replicas."""
    for resource, amount in resources(block, on_cpu=not gpus).items():
        workers = resource == ("GPU" if gpus else "CPU")
        each = block.tensor_parallel if workers and block.pipeline_parallel == 1 else 1
        yield Need(name, int(amount) // each, each, "GPU" if resource == "GPU" else "CPU")


def have_gpus(nodes: Iterable[Resources]) -> bool:
    """Whether any of the nodes has a GPU."""
    return any(node.get("GPU", 0) for node in nodes)


def fit(needs: Iterable[Need], nodes: Iterable[Resources]) -> bool:
    """Whether all replicas have their places at once: the largest first, each where the least is left."""
    free = [dict(node) for node in nodes]
    for need in sorted(needs, key=lambda need: need.each, reverse=True):
        for _ in range(need.replicas):
            able = [node for node in free if node.get(need.resource, 0) >= need.each]
            if not able:
                return False
            min(able, key=lambda node: node[need.resource])[need.resource] -= need.each
    return True


def sum_of(needs: Sequence[Need]) -> str:
    """What is needed, by one model at least: `2 × 4 GPUs for large + 1 × 1 GPU for small, 9 GPUs in all`."""
    total = sum(need.total for need in needs)
    unit = f"{needs[0].resource}{'s' if total != 1 else ''}"
    return f"{' + '.join(map(str, needs))}, {total} {unit} in all"


def has(resource: Resource, nodes: Iterable[Resources]) -> str:
    """What is there of a resource, in words: `8 GPUs on 2 nodes (4 + 4)`."""
    found = sorted((node.get(resource, 0) for node in nodes), reverse=True)
    with_it = [f"{amount:g}" for amount in found if amount]
    if not with_it:
        return f"no {resource}s"
    places = f"{len(with_it)} node{'s' if len(with_it) > 1 else ''}"
    return f"{sum(found):g} {resource}{'s' if sum(found) != 1 else ''} on {places} ({' + '.join(with_it)})"
