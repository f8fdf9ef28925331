"""What models need of a cluster, and whether its nodes can hold that all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from serving.blocks import ModelBlock, VllmBlock

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


def need_of(model: str, block: ModelBlock, gpus: bool) -> Need | None:
    """What a model needs that runs on the cluster, with `gpus` of these, else of CPUs; None of others."""
    if not isinstance(block, VllmBlock):
        return None
    return Need(model, block.replicas, block.tensor_parallel if gpus else 1, "GPU" if gpus else "CPU")


def needs_of(blocks: Mapping[str, ModelBlock], gpus: bool) -> list[Need]:
    """What each of the models needs that need anything."""
    needs = (need_of(name, block, gpus) for name, block in blocks.items())
    return [need for need in needs if need is not None]


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
