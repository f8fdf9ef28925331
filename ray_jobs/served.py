"""Models that Ray Serve serves, for as long as a run needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.located import ExperimentError
from serving import applications
from serving.blocks import ModelBlock
from serving.errors import ServingError
from serving.serve_block import ServeBlock


@contextmanager
def served(
    models: Mapping[str, ModelBlock], prefix: str, say: Callable[[str], None]
) -> Iterator[dict[str, ModelBlock]]:
    """The models, every one on Ray Serve with the address at which it answers.

    What is not served already is deployed as the application `prefix`-model on the connected cluster, and
    taken down when the block is left; one of that name is what a killed start of the same run has left, and
    is taken down first. Raises `ExperimentError` for a model that is not there or does not start.
    """
    ours = {f"{prefix}-{name}": block for name, block in _serve_blocks(models).items() if block.serve is None}
    if not ours:
        yield {**models, **_found(models)}
        return
    on_cluster(applications.take_down, list(ours))
    try:
        say(f"deploying on Ray Serve: {', '.join(ours)}")
        addresses = on_cluster(applications.deploy, ours, on_cpu())
        names = {application: application.removeprefix(f"{prefix}-") for application in ours}
        there = {names[each]: ours[each].at(url) for each, url in addresses.items()}
        yield {**models, **_found(models), **there}
    finally:
        on_cluster(applications.take_down, list(ours))


def on_cpu() -> bool:
    """Whether the cluster has no GPU, nor may come to have any, so that engines run on CPUs."""
    return not Capacity.of_cluster().gpus


def on_cluster(work: Callable[..., Any], *arguments: object) -> Any:
    """What a function of `serving.applications` returns, called in a process of the cluster.

    Raises `ExperimentError` with the message of what it raised.
    """
    task: Any = ray.remote(num_cpus=0, max_retries=0, max_calls=1)(work)  # its process holds vllm, and ends
    call = task.remote(*arguments)
    try:
        return ray.get(call)
    except RayTaskError as error:
        if isinstance(error.cause, ServingError):
            raise ExperimentError(str(error.cause)) from None
        raise ExperimentError(f"Ray Serve: {error.cause!r}") from None
    except RayError as error:
        raise ExperimentError(f"Ray Serve: {error}") from None
    except KeyboardInterrupt:
        ray.cancel(call, force=True)
        raise


def _serve_blocks(models: Mapping[str, ModelBlock]) -> dict[str, ServeBlock]:
    return {name: block for name, block in models.items() if isinstance(block, ServeBlock)}


def _found(models: Mapping[str, ModelBlock]) -> dict[str, ServeBlock]:
    """The models that are applications of this cluster already."""
    return {
        name: block.at(on_cluster(applications.address, block.serve.application))
        for name, block in _serve_blocks(models).items()
        if block.serve is not None and block.serve.application is not None
    }
