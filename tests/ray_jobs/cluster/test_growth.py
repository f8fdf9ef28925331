"""What a cluster can come to have is read from whoever says it."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from ray.core.generated import autoscaler_pb2

from ray_jobs.cluster import growth
from ray_jobs.cluster.growth import nodes_at_most
from ray_jobs.located import ExperimentError

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nobody says anything."""
    tell(monkeypatch, None)
    monkeypatch.setattr(growth, "LAUNCHED", tmp_path / "launched.yaml")


def tell(monkeypatch: pytest.MonkeyPatch, config: object) -> None:
    monkeypatch.setattr(growth.state, "get_cluster_config", lambda: config)


def test_of_other_clusters_nothing_is_known() -> None:
    assert nodes_at_most() is None


def test_the_environment_of_the_head_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOT_NODES", "[{count: 2, CPU: 8, GPU: 1}, {CPU: 4}]")
    assert nodes_at_most() == ({"CPU": 8, "GPU": 1}, {"CPU": 8, "GPU": 1}, {"CPU": 4})
    monkeypatch.setenv("MOOT_NODES", "8 GPUs")
    with pytest.raises(ExperimentError, match="MOOT_NODES: found '8 GPUs'; expected groups of nodes"):
        nodes_at_most()


def test_ray_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    group: Any = autoscaler_pb2.NodeGroupConfig(resources={"GPU": 4, "CPU": 32}, max_count=2)  # type: ignore[attr-defined]
    tell(monkeypatch, autoscaler_pb2.ClusterConfig(node_group_configs=[group]))  # type: ignore[attr-defined]
    assert nodes_at_most() == ({"GPU": 4, "CPU": 32},) * 2


def test_the_file_of_rays_launcher_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ours, which GPUs there may be: 8 × 1, 2 × 4 and 1 × 8."""
    monkeypatch.setattr(growth, "LAUNCHED", ROOT / "cluster.yaml")
    found = nodes_at_most()
    assert found is not None
    assert sorted(node["GPU"] for node in found if "GPU" in node) == [1] * 8 + [4, 4, 8]


def test_rayjob_yaml_says_it_of_its_own_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = yaml.safe_load((ROOT / "ray_jobs" / "rayjob.yaml").read_text())["spec"]["rayClusterSpec"]
    [head] = cluster["headGroupSpec"]["template"]["spec"]["containers"]
    [said] = [each["value"] for each in head["env"] if each["name"] == "MOOT_NODES"]
    monkeypatch.setenv("MOOT_NODES", said)
    groups = []
    for group in cluster["workerGroupSpecs"]:
        limits = group["template"]["spec"]["containers"][0]["resources"]["limits"]
        gpus = {"GPU": float(limits["nvidia.com/gpu"])} if "nvidia.com/gpu" in limits else {}
        groups += [{"CPU": float(limits["cpu"]), **gpus}] * group["maxReplicas"]
    assert nodes_at_most() == tuple(groups)
