"""What a cluster can come to have where an autoscaler adds nodes to it.

Ray itself tells it of some clusters only. Its launcher leaves the cluster's file on the head; for others, as
on Kubernetes, whoever writes the cluster's file says it in the environment of the head, in MOOT_NODES:
`[{count: 8, CPU: 8, GPU: 1}, {count: 2, CPU: 32, GPU: 4}]`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from pydantic import TypeAdapter, ValidationError
from ray._private.state import state

from ray_jobs.located import ExperimentError
from ray_jobs.needs import Resources

VARIABLE = "MOOT_NODES"
LAUNCHED = Path("~/ray_bootstrap_config.yaml")
UNBOUNDED = 1000  # nodes of a type of which an autoscaler may start as many as it likes

_GROUPS: TypeAdapter[list[dict[str, float]]] = TypeAdapter(list[dict[str, float]])


def nodes_at_most() -> tuple[Resources, ...] | None:
    """The resources of every node that the connected cluster may come to have; None where that is not known.

    Raises `ExperimentError` for a MOOT_NODES that cannot be read.
    """
    if text := os.environ.get(VARIABLE):
        return tuple(_declared(text))
    config: Any = state.get_cluster_config()
    if config and config.node_group_configs:
        return tuple(_told_by_ray(config))
    launched = LAUNCHED.expanduser()
    return tuple(_launched(yaml.safe_load(launched.read_text()))) if launched.is_file() else None


def _declared(text: str) -> Iterator[Resources]:
    try:
        groups = _GROUPS.validate_python(yaml.safe_load(text))
    except (yaml.YAMLError, ValidationError):
        expected = "groups of nodes such as [{count: 8, CPU: 8, GPU: 1}]"
        raise ExperimentError(f"{VARIABLE}: found '{text}'; expected {expected}") from None
    for group in groups:
        yield from _several(group, int(group.pop("count", 1)))


def _told_by_ray(config: Any) -> Iterator[Resources]:
    for group in config.node_group_configs:
        yield from _several(dict(group.resources), group.max_count)


def _launched(config: dict[str, Any]) -> Iterator[Resources]:
    for name, node in config.get("available_node_types", {}).items():
        most = 1 if name == config.get("head_node_type") else node.get("max_workers", 0)
        yield from _several(node.get("resources", {}), most)


def _several(node: Resources, count: int) -> Iterator[Resources]:
    yield from [node] * (count if count >= 0 else UNBOUNDED)
