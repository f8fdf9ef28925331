"""Applications of Ray Serve: deployed, waited for, found and taken down again, on this process's cluster.

Deploying builds an application and imports vllm for it, so the driver leaves it to a task of the cluster.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import Any

from serving.errors import ModelError
from serving.serve_block import ServeBlock

PORT = 8000
LOOK_SECONDS = 1.0
GONE_SECONDS = 90.0
LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
SHOWN = 600  # characters of what Serve says


def deploy(blocks: Mapping[str, ServeBlock], on_cpu: bool) -> dict[str, str]:
    """Deploys a model under each name of an application, and returns their addresses once all are running.

    Starts Serve where it does not run: on loopback where the cluster is one node, else on every address of
    its nodes. Raises `ModelError` for a name that is in use, and for a model that does not come up in its
    time; whatever has been deployed until then is left to the caller to take down.
    """
    require_serve()
    from ray import serve
    from ray.serve.api import RunTarget

    from serving.deployments import build

    refuse_taken(blocks)
    targets = [RunTarget(build(block, on_cpu), name, f"/{name}") for name, block in blocks.items()]
    serve.start(http_options={"host": _host(), "port": _free_port()})
    serve.run_many(targets, wait_for_ingress_deployment_creation=False, wait_for_applications_running=False)
    began = time.monotonic()
    for name, block in blocks.items():
        _wait(name, block, began)
    return {name: address(name) for name in blocks}


def address(application: str) -> str:
    """The base URL of an application that runs. Raises `ModelError` where none of that name does."""
    require_serve()
    found = _details()
    running = found["applications"]
    if application not in running:
        there = ", ".join(running) or "none"
        raise ModelError(
            f"no Serve application '{application}' runs on this cluster (found: {there}); moot serve deploys"
            " models, and prints the names of their applications"
        )
    status = running[application]["status"]
    if status != "RUNNING":
        raise ModelError(f"the Serve application '{application}' is {status}; expected RUNNING")
    http = found["http_options"]
    host = reachable(http["host"], [proxy["node_ip"] for proxy in found["proxies"].values()])
    return f"http://{host}:{http['port']}{running[application]['route_prefix']}/v1"


def take_down(applications: Iterable[str]) -> None:
    """Ends those of the applications that there are, and waits until their replicas are gone.

    Serve itself stays, without any engine. Raises `ModelError` where something does not end.
    """
    from ray import serve

    there = [name for name in applications if name in serve.status().applications]
    for name in there:
        serve.delete(name, _blocking=False)
    until = time.monotonic() + GONE_SECONDS
    while left := [name for name in there if name in serve.status().applications]:
        if time.monotonic() > until:
            raise ModelError(f"Serve has not ended {', '.join(left)} within {GONE_SECONDS:g} s")
        time.sleep(LOOK_SECONDS)


def require_serve() -> None:
    """Raises `ModelError` where Ray Serve is not installed."""
    if find_spec("fastapi") is None or find_spec("ray.serve") is None:
        raise ModelError(
            "Ray Serve is not installed here, which 'backend: serve' needs; install moot as it is, or"
            " 'ray[serve]', on every node"
        )


def refuse_taken(names: Iterable[str]) -> None:
    """Raises `ModelError` for a name that an application of the cluster has already."""
    require_serve()
    from ray import serve

    for name in names:
        if name in serve.status().applications:
            raise ModelError(
                f"a Serve application '{name}' is on this cluster already; to ask that one write serve:"
                f" {{application: {name}}} in the block of the model, to end it: moot serve --stop {name}"
            )


def _wait(name: str, block: ServeBlock, began: float) -> None:
    from ray import serve

    while (found := serve.status().applications.get(name)) is None or found.status != "RUNNING":
        if found is None:
            raise ModelError(f"the Serve application '{name}' was ended by somebody while it was deployed")
        parts = "; ".join(part.message for part in found.deployments.values() if part.message)
        told = " ".join(f"{found.message} {parts}".split())[-SHOWN:]
        if found.status in ("DEPLOY_FAILED", "UNHEALTHY"):
            raise ModelError(f"model '{block.model}' does not start on Ray Serve: {told or found.status}")
        if time.monotonic() - began > block.start_seconds:
            raise ModelError(
                f"model '{block.model}' is not ready on Ray Serve after {block.start_seconds:g} s"
                f" ({found.status}: {told or 'no message'}); check that the cluster has room for it, or raise"
                " start_seconds"
            )
        time.sleep(LOOK_SECONDS)


def _details() -> dict[str, Any]:
    from ray.serve.context import _get_global_client

    client = _get_global_client(raise_if_no_controller_running=False)
    found: dict[str, Any] = {"applications": {}} if client is None else client.get_serve_details()
    return found


def _host() -> str:
    import ray

    nodes = ray.nodes()  # type: ignore[no-untyped-call]
    return LOOPBACK if sum(node["Alive"] for node in nodes) == 1 else EVERYWHERE


def _free_port() -> int:
    """Serve's usual port where it is free on this node, else another."""
    for port in (PORT, 0):
        with socket.socket() as tried:
            try:
                tried.bind((LOOPBACK, port))
            except OSError:
                continue
            return int(tried.getsockname()[1])
    raise ModelError("no port of this node is free")


def reachable(host: str, nodes: list[str]) -> str:
    """Where agents on any node find a server that listens on `host`."""
    if host in (EVERYWHERE, "::", ""):
        return nodes[0]
    if host == LOOPBACK and len(nodes) > 1:
        raise ModelError(
            "Serve runs on this cluster and listens on 127.0.0.1 only, where agents on other nodes do not"
            " reach it; start it with 'serve start --http-host 0.0.0.0'"
        )
    return host
