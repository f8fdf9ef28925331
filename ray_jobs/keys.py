"""Whether the keys of remote models stand in the environment of this process."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from ray_jobs.connection import joins_cluster
from ray_jobs.experiment import Experiment
from ray_jobs.located import Problem
from serving.blocks import ModelBlock
from serving.remote_block import RemoteBlock


def missing_keys(models: Mapping[str, ModelBlock]) -> Iterator[tuple[str, str]]:
    """The models whose key is not here, each with the variable that should hold it."""
    for name, block in models.items():
        key = block.key if isinstance(block, RemoteBlock) else None
        if key is not None and not os.environ.get(key, "").strip():
            yield name, key


def refuse_missing_keys(
    experiment: Experiment, models: Mapping[str, ModelBlock], address: str | None
) -> None:
    """Raises `ExperimentError` for keys that are not here, where agents will run on this machine."""
    if joins_cluster(address):
        return
    raised = [
        Problem(
            ("models", name, "key"), f"'{key}', which is not set in this shell", "a variable with the key"
        )
        for name, key in missing_keys(models)
    ]
    if raised:
        raise experiment.error(raised)
