"""`cluster.yaml` is what Ray's cluster launcher accepts and agrees with the versions that are pinned."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "cluster.yaml").read_text()


def aws() -> dict[str, Any]:
    """The file as it stands."""
    config: dict[str, Any] = yaml.safe_load(TEXT)
    return config


def google_cloud() -> dict[str, Any]:
    """The file with the commented block at its end in place of the AWS keys."""
    _, block = TEXT.split("# --- Google Cloud ---\n")
    lines = block.splitlines()[2:]
    config: dict[str, Any] = yaml.safe_load("\n".join(line[1:].removeprefix(" ") for line in lines))
    return aws() | config


@pytest.fixture(params=[aws, google_cloud])
def cluster(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The launcher's configuration, once for each cloud, with Ray's defaults filled in."""
    config: dict[str, Any] = prepare_config(request.param())
    return config


def pinned(package: str) -> str:
    """The version of `package` in the constraints that the cluster's nodes install with."""
    [version] = re.findall(rf"^{package}==(\S+)$", (ROOT / "constraints-gpu.txt").read_text(), re.MULTILINE)
    return str(version)


def gpus(node_type: dict[str, Any]) -> int:
    """How many GPUs a node of this type offers to Ray."""
    return int(node_type["resources"].get("GPU", 0))


def test_ray_accepts_it(cluster: dict[str, Any]) -> None:
    validate_config(cluster)


def test_ray_rejects_an_unknown_key(cluster: dict[str, Any]) -> None:
    """The schema is strict, so the test above can fail."""
    with pytest.raises(Exception, match="maxworkers"):
        validate_config(cluster | {"maxworkers": 3})


def test_every_image_has_the_pinned_ray_and_our_python(cluster: dict[str, Any]) -> None:
    node_types = cluster["available_node_types"].values()
    images = {image for node in node_types for image in node.get("docker", {}).values()}
    for image in images | {cluster["docker"]["image"]}:
        assert image.startswith(f"rayproject/ray:{pinned('ray')}-py311")


def test_gpu_nodes_and_no_others_install_the_gpu_extra_and_are_spot(cluster: dict[str, Any]) -> None:
    for node in cluster["available_node_types"].values():
        commands = node.get("worker_setup_commands", cluster["worker_setup_commands"])
        assert any("moot[gpu]" in command for command in commands) == (gpus(node) > 0)
        is_spot = "spot" in str(node["node_config"]) or "preemptible" in str(node["node_config"])
        assert is_spot == (gpus(node) > 0)


def test_the_head_is_kept_free_and_a_whole_large_model_fits_one_node(cluster: dict[str, Any]) -> None:
    node_types = cluster["available_node_types"]
    assert node_types[cluster["head_node_type"]]["resources"] == {"CPU": 0}
    assert {0, 1, 4, 8} == {gpus(node) for node in node_types.values()}
