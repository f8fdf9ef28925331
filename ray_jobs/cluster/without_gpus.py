"""Engines on a cluster that has no GPU, nor may come to have one: they run on CPUs, if they can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.findings import Finding
from ray_jobs.needs import needs_of
from serving.blocks import ModelBlock, VllmBlock
from serving.catalogue import HUB_NAME
from serving.known_models import by_model
from serving.serve_block import ServeBlock

SMALL = "CPUs will do for a small model such as smollm2"


def without_gpus(blocks: Mapping[str, ModelBlock], capacity: Capacity) -> Iterator[Finding]:
    """What of the models of the hub is too large for the memory of any node, or will be slow."""
    if capacity.gpus:
        return
    most = max((node.get("memory", 0.0) for node in (*capacity.now, *capacity.most)), default=0.0)
    for name, block in blocks.items():
        if not isinstance(block, VllmBlock | ServeBlock) or not needs_of({name: block}, gpus=False):
            continue
        if not HUB_NAME.fullmatch(block.model):
            continue
        gpus = f"{block.gpus} GPU{'s' if block.gpus > 1 else ''}"
        known = by_model().get(block.model)
        weights = 0.0 if known is None or known.size is None else known.size.weights
        found, do = "no node has a GPU", f"add nodes with {gpus} for each replica; {SMALL}"
        if most and weights > most:
            sizes = (
                f"its weights take {weights / 1e9:,.0f} GB, and a node at most {most / 1e9:,.0f} GB of memory"
            )
            yield Finding("fail", f"model '{name}'", f"{found}, and {sizes}", do)
        else:
            yield Finding("warn", f"model '{name}'", f"{found}, so its engines run on CPUs", do)
