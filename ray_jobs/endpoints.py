"""Where the models behind servers are asked, and how: a line for each in `moot plan`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from ray_jobs.experiment import Experiment
from serving.remote.request import not_sent
from serving.remote_block import RemoteBlock
from serving.serve_block import ServeBlock

VERSION = re.compile(r"/v\d")


def endpoint_lines(experiment: Experiment, names: Iterable[str]) -> Iterator[str]:
    """A line for each model behind a server among the names: where it is asked, and how."""
    for name in names:
        block = experiment.models[name]
        if isinstance(block, RemoteBlock):
            yield f"{name}: {'; '.join(_told(block))}"
        if isinstance(block, ServeBlock):
            yield f"{name}: '{block.served_name}' {_place(block)}; up to {block.asks:,} asks at a time"


def _place(block: ServeBlock) -> str:
    if block.serve is not None:
        return f"at {block.serve.url}" if block.serve.url else f"in the application {block.serve.application}"
    replicas = f"{block.least}" if block.least == block.most else f"{block.least} to {block.most}"
    engines = f"{replicas} x {block.tensor_parallel * block.pipeline_parallel} GPUs"
    return f"on Ray Serve, deployed by the run: {engines}, or CPUs where the cluster has no GPU"


def _told(block: RemoteBlock) -> Iterator[str]:
    yield f"'{block.model}' at {block.base_url}"
    yield "no key" if block.key is None else f"key from {block.key}"
    yield f"transport {block.transport}"
    yield f"provider {json.dumps(block.provider)}" if block.provider else "no provider pinned"
    dropped = not_sent(block)
    yield f"not sent, by accepts: {', '.join(dropped)}" if dropped else "everything is sent"
    if not VERSION.search(urlsplit(block.base_url).path):
        yield "the address names no version such as /v1, which most servers have"
