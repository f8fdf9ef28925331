"""`rayjob.yaml` is what KubeRay accepts, ends in every case, and agrees with the versions that are pinned."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

ROOT = Path(__file__).parents[2]
JOB: dict[str, Any] = yaml.safe_load((ROOT / "ray_jobs" / "rayjob.yaml").read_text())
DOCKERFILE = (ROOT / "ray_jobs" / "Dockerfile").read_text()
CLUSTER = JOB["spec"]["rayClusterSpec"]
WORKERS: dict[str, dict[str, Any]] = {group["groupName"]: group for group in CLUSTER["workerGroupSpecs"]}


def strict(schema: Any) -> Any:
    """The schema with all unknown keys refused, as the API server does with `kubectl apply`'s validation."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    read = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        read["additionalProperties"] = False
    return read


SCHEMA = strict(json.loads((ROOT / "tests" / "ray_jobs" / "rayjob_schema.json").read_text()))


def refused(job: dict[str, Any]) -> list[str]:
    """Where the schema refuses the job."""
    return [
        ".".join(map(str, error.absolute_path)) for error in Draft202012Validator(SCHEMA).iter_errors(job)
    ]


def containers() -> list[dict[str, Any]]:
    groups = [CLUSTER["headGroupSpec"], *WORKERS.values()]
    return [container for group in groups for container in group["template"]["spec"]["containers"]]


def pinned(package: str) -> str:
    [version] = re.findall(rf"^{package}==(\S+)$", (ROOT / "constraints-gpu.txt").read_text(), re.MULTILINE)
    return str(version)


def test_kuberay_accepts_it() -> None:
    assert refused(JOB) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("spec", "backofLimit"), 3),
        (("spec", "activeDeadlineSeconds"), "two days"),
        (("spec", "rayClusterSpec", "workerGroupSpecs", 0, "maxReplica"), 4),
        (("spec", "rayClusterSpec", "headGroupSpec", "rayStartParams", "num-cpus"), 0),
        (("spec", "rayClusterSpec", "headGroupSpec", "template", "spec", "container"), []),
    ],
)
def test_the_schema_refuses_what_is_wrong(path: tuple[str | int, ...], value: object) -> None:
    """So the test above can fail."""
    job = copy.deepcopy(JOB)
    at: Any = job
    for part in path[:-1]:
        at = at[part]
    at[path[-1]] = value
    assert len(refused(job)) == 1


def test_versions_are_those_of_the_lock() -> None:
    ray = pinned("ray")
    assert CLUSTER["rayVersion"] == ray
    assert f"FROM rayproject/ray:{ray}-py311${{GPU}}" in DOCKERFILE
    for container in containers():
        assert re.fullmatch(rf"YOUR-REGISTRY/moot:[\d.]+-ray{ray}-py311(-gpu)?", container["image"])
        assert container["image"] in DOCKERFILE


def test_nodes_with_gpus_and_no_others_have_engines() -> None:
    for container in containers():
        assert container["image"].endswith("-gpu") == ("nvidia.com/gpu" in container["resources"]["limits"])
        assert container["resources"]["limits"] == container["resources"]["requests"]
    gpus = {
        name: int(group["template"]["spec"]["containers"][0]["resources"]["limits"].get("nvidia.com/gpu", 0))
        for name, group in WORKERS.items()
    }
    assert gpus == {"cpu": 0, "gpu1": 1, "gpu4": 4, "gpu8": 8}


def test_it_ends_in_every_case_and_is_retried_and_taken_down() -> None:
    spec = JOB["spec"]
    assert spec["shutdownAfterJobFinishes"]
    assert (
        0
        < spec["ttlSecondsAfterFinished"]
        < spec["preRunningDeadlineSeconds"]
        < spec["activeDeadlineSeconds"]
    )
    assert spec["backoffLimit"] > 0
    assert CLUSTER["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"


def test_it_plays_into_a_store_outside_the_cluster() -> None:
    words = JOB["spec"]["entrypoint"].split()
    assert words[:3] == ["python", "-m", "ray_jobs.run"]
    assert words[4] == "--out"
    assert words[5].startswith("s3://")


def test_secrets_come_from_the_cluster_alone() -> None:
    """By reference; nothing that is shown with the job holds a value."""
    assert "runtimeEnvYAML" not in JOB["spec"]
    for container in containers():
        assert container["envFrom"] == [{"secretRef": {"name": "moot-keys"}}]
        assert [each["name"] for each in container.get("env", [])] in ([], ["MOOT_NODES"])
