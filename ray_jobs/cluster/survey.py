"""Looks around on every node of the cluster at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from ray_jobs.cluster.sight import Search, Sight, look
from ray_jobs.needs import Resources

PATIENCE_SECONDS = 90.0  # for a node to get the code, to start a process, and to look


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A node by its name and its resources, and what it has seen, or why it has seen nothing."""

    name: str
    resources: Resources
    sight: Sight | None
    error: str = ""


def survey(search: Search) -> list[Surveyed]:
    """What every node that is alive sees, in the order of their names."""
    nodes = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    looks = {_look_on(node["NodeID"], search): node for node in nodes}
    ready, _ = ray.wait(list(looks), num_returns=len(looks), timeout=PATIENCE_SECONDS)
    return sorted(_surveyed(looks, set(ready)), key=lambda each: each.name)


def _look_on(node: str, search: Search) -> Any:
    there = NodeAffinitySchedulingStrategy(node, soft=False)
    task: Any = ray.remote(look)
    return task.options(num_cpus=0, max_retries=0, scheduling_strategy=there).remote(search)


def _surveyed(looks: dict[Any, dict[str, Any]], ready: set[Any]) -> Iterator[Surveyed]:
    for call, node in looks.items():
        name = f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']}, {node['NodeID'][:8]})"
        if call not in ready:
            late = f"it has not answered within {PATIENCE_SECONDS:.0f} s"
            yield Surveyed(name, node["Resources"], None, late)
            continue
        try:
            yield Surveyed(name, node["Resources"], ray.get(call))
        except RayTaskError as error:
            yield Surveyed(name, node["Resources"], None, f"moot does not run there: {error.cause!r}")
        except RayError as error:
            yield Surveyed(name, node["Resources"], None, str(error))
