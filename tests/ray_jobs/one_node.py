"""A Ray cluster of one node with as many CPUs as a test wants, whatever the machine has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ray.cluster_utils import Cluster
from ray.util.state import list_actors

from tests.ray_jobs.moot_runs import wait_until


class OneNode:
    """The cluster, at `address`."""

    def __init__(self, cluster: Any) -> None:
        self.address: str = cluster.address

    def check_left(self) -> None:
        """No actor of any run is left."""
        wait_until(lambda: not self._live(), lambda: f"left: {self._live()}")

    def _live(self) -> list[object]:
        return list(list_actors(self.address, filters=[("state", "!=", "DEAD")], limit=1000))


@contextmanager
def one_node(cpus: int) -> Iterator[OneNode]:
    """The cluster, until the block is left."""
    head = {"num_cpus": cpus, "include_dashboard": True, "dashboard_port": 0}
    cluster: Any = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield OneNode(cluster)
    finally:
        cluster.shutdown()
