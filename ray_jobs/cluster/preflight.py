"""The preflight on a cluster: every node looks around before an engine starts there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.findings import Finding, refuse
from ray_jobs.cluster.judging import Judging
from ray_jobs.cluster.pins import pins
from ray_jobs.cluster.sight import Search
from ray_jobs.cluster.survey import survey
from ray_jobs.cluster.token import token
from ray_jobs.cluster.without_gpus import without_gpus
from ray_jobs.needs import needs_of
from ray_jobs.store import Store
from serving.blocks import ModelBlock
from serving.engine_block import EngineBlock
from serving.known_models import by_model
from serving.remote_block import RemoteBlock


def check_cluster(store: Store, blocks: Mapping[str, ModelBlock], warn: Callable[[str], None]) -> None:
    """Whether the connected cluster can play a run in `store` with these models.

    Raises `ExperimentError` with all that is in the way, and the names of the nodes.
    """
    refuse(cluster_findings(store, blocks), warn)


def cluster_findings(store: Store | None, blocks: Mapping[str, ModelBlock]) -> Iterator[Finding]:
    """What the nodes of the connected cluster have and see; without a `store` nothing of a run directory."""
    capacity = Capacity.of_cluster()
    yield capacity.finding(blocks)
    models = {
        name: block.model
        for name, block in blocks.items()
        if isinstance(block, EngineBlock) and needs_of({name: block}, capacity.gpus)
    }
    keys = (block.key for block in blocks.values() if isinstance(block, RemoteBlock) and block.key)
    known = by_model()
    gated = {name: model for name, model in models.items() if model in known and known[model].gated}
    search = Search(models=models, variables=tuple(dict.fromkeys(keys)), gated=gated)
    yield from without_gpus(blocks, capacity)
    with ExitStack() as held:
        if store is not None:
            try:
                search = replace(search, run=store.place, token=held.enter_context(token(store)))
            except OSError as error:
                yield Finding("fail", f"run directory {store.uri}", str(error))
        nodes = survey(search)
    yield from Judging(nodes, search, capacity, blocks, pins()).findings()
