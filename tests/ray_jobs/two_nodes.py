"""A Ray cluster of two nodes on this machine, each with processes of its own; the second can be killed.

Jobs can be submitted to it, and further nodes added. What a job calls `python` is this interpreter.

Each node unpacks code of jobs in a folder of its own, as nodes on machines of their own do: Ray removes
what it finds of a package before it unpacks it, also under a process of another node that reads it.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psutil
from ray._private.node import Node
from ray.cluster_utils import Cluster
from ray.util.state import list_actors, list_placement_groups

from tests.ray_jobs.moot_runs import ENVIRONMENT, alive, family, wait_until

HEALTH = {
    "health_check_initial_delay_ms": 500,
    "health_check_period_ms": 500,
    "health_check_timeout_ms": 1000,
    "health_check_failure_threshold": 2,
}
"""So that a lost node is known to be lost within seconds, where Ray's defaults take more than a minute."""


ENVIRONMENT["PATH"] = os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"


class TwoNodes:
    """The cluster. `words` are what the command needs to play on it."""

    def __init__(self) -> None:
        head = {"num_cpus": 4, "include_dashboard": True, "dashboard_port": 0, "_system_config": HEALTH}
        self._cluster: Any = Cluster(initialize_head=True, head_node_args=head)
        self._numbers = count(2)
        self._second = self.add()
        self.address: str = self._cluster.address
        self.words = ("--address", self.address)
        self.job_server = f"http://{self._cluster.webui_url}"

    def add(self, **given: Any) -> Node:
        """Another node, with one CPU unless something else is `given`."""
        own = f"runtime_resources_{next(self._numbers)}"
        node: Node = self._cluster.add_node(**{"num_cpus": 1, "runtime_env_dir_name": own, **given})
        return node

    def remove(self, node: Node) -> None:
        """Takes a node away again."""
        self._cluster.remove_node(node)

    def processes(self) -> list[psutil.Process]:
        """All that belongs to either node."""
        return [process for node in self._cluster.list_all_nodes() for process in _family(node)]

    def on_second(self) -> list[psutil.Process]:
        """All that belongs to the second node."""
        return _family(self._second)

    def kill_second(self) -> float:
        """Kills the second node, every process of it and without warning; then a new one takes its place.

        Returns the moment of the kill, in seconds since the epoch.
        """
        members, moment = self.on_second(), time.time()
        for process in members:
            process.kill()
        wait_until(lambda: not any(map(alive, members)), lambda: "processes of the node are left")
        self._cluster.remove_node(self._second, allow_graceful=False)
        self._second = self.add()
        return moment

    def check_left(self) -> None:
        """Nothing of any run is left: no live actor, and no placement group that holds resources."""
        address = self._cluster.address
        wait_until(lambda: not _live_actors(address), lambda: f"left: {_live_actors(address)}")
        self._check_no_group()

    def check_no_engine_left(self) -> None:
        """Of a run on Ray Serve nothing is left but Serve itself."""
        address = self._cluster.address
        wait_until(lambda: not _engines(address), lambda: f"left: {_engines(address)}")
        self._check_no_group()

    def _check_no_group(self) -> None:
        groups = list_placement_groups(self._cluster.address, filters=[("state", "!=", "REMOVED")])
        assert groups == []

    def shutdown(self) -> None:
        """Ends both nodes."""
        self._cluster.shutdown()


@contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """The cluster, until the block is left."""
    nodes = TwoNodes()
    try:
        yield nodes
    finally:
        nodes.shutdown()


def _family(node: Node) -> list[psutil.Process]:
    return family(node.all_processes["raylet"][0].process.pid)


def _live_actors(address: str) -> list[object]:
    return list(list_actors(address, filters=[("state", "!=", "DEAD")], limit=1000))


def _engines(address: str) -> list[object]:
    """Live actors but for the few that Ray Serve keeps on a cluster, which hold no resources."""
    own = ("ServeController", "ProxyActor", "TelemetryAgent")
    return [
        actor
        for actor in list_actors(address, filters=[("state", "!=", "DEAD")], limit=1000)
        if actor.class_name not in own
    ]
