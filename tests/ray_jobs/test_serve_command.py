"""moot serve and moot models: which models are meant, and what is refused before anything starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from click.testing import Result
from typer.testing import CliRunner

from ray_jobs.cli import app
from ray_jobs.cluster.capacity import Capacity
from ray_jobs.crew import check_resources
from ray_jobs.located import ExperimentError
from ray_jobs.serve_command import served_models
from serving.blocks import VllmBlock
from serving.known_models import known_models
from serving.serve_block import Place, Scale, ServeBlock

FILE = """\
models:
  here: {backend: vllm, model: tiny}
  llama: {from: llama-3.1-70b, backend: serve, replicas: {min: 1, max: 4}}
  shared: {backend: serve, model: tiny, serve: {application: twice}}
  far: {backend: serve, model: tiny, serve: {url: "http://host:8000/far/v1"}}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "models.yaml").write_text(FILE)
    return tmp_path / "models.yaml"


def moot(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def refused(result: Result, *says: str) -> None:
    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert told.startswith("error: ")
    for part in says:
        assert part in told, told


def test_what_is_to_be_deployed_goes_by_the_name_of_its_application(file: Path) -> None:
    """What others serve is theirs, and an engine of a run is no application."""
    models = served_models(file, None)
    assert list(models) == ["llama", "twice"]
    assert all(block.serve is None for block in models.values())
    assert models["llama"].tensor_parallel == 4
    assert list(served_models(file, ["shared"])) == ["twice"]


@pytest.mark.parametrize("name", ["here", "far", "lama"])
def test_a_model_that_is_not_to_be_deployed_is_refused_by_name(name: str, file: Path) -> None:
    refused(moot("serve", file, "--model", name), f"found no model '{name}' with backend: serve", "llama")


def test_a_file_without_such_a_model_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "models.yaml"
    file.write_text("models: {a: {backend: simulated}}\n")
    refused(moot("serve", file), "found no model to serve; allowed: models with backend: serve")


def test_no_file_and_a_cluster_that_would_end_with_the_command_are_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    refused(moot("serve"), "found no FILE; allowed: moot serve FILE, or moot serve --stop NAME")
    refused(moot("serve", file, "--detach"), "Ray on this machine would end with this command", "--address")


def test_too_few_gpus_are_told_with_the_sum_of_what_is_needed() -> None:
    """What is served already needs nothing; of what scales the fewest replicas count."""
    serve = {"backend": "serve", "model": "org/name"}
    blocks = {
        "llama": ServeBlock(**serve, tensor_parallel=4, replicas=Scale(min=2, max=9)),
        "deepseek": ServeBlock(**serve, tensor_parallel=8, pipeline_parallel=2),
        "small": VllmBlock(backend="vllm", model="org/name", replicas=3),
        "shared": ServeBlock(**serve, tensor_parallel=8, serve=Place(application="a")),
    }
    nodes = ({"GPU": 8.0, "CPU": 64.0},) * 2
    cluster = Capacity(nodes, nodes)
    with pytest.raises(ExperimentError) as told:
        check_resources(blocks, cluster)
    assert str(told.value).startswith(
        "the models need 2 × 4 GPUs for llama + 16 × 1 GPU for deepseek + 3 × 1 GPU for small, 27 GPUs in"
        " all; the cluster has 16 GPUs on 2 nodes (8 + 8)"
    )
    check_resources({"llama": blocks["llama"]}, cluster)


def test_the_list_names_every_known_model_and_its_gpus() -> None:
    told = moot("models", "list").stdout
    assert all(name in told for name in known_models())
    assert "8 × 2" in told


def test_a_known_model_is_shown_as_a_block_that_can_be_pasted(tmp_path: Path) -> None:
    shown = moot("models", "show", "deepseek-r1-distill-qwen-32b").stdout
    assert yaml.safe_load(shown) == {
        "deepseek-r1-distill-qwen-32b": known_models()["deepseek-r1-distill-qwen-32b"].block
    }
    (tmp_path / "cases.jsonl").write_text(json.dumps({"id": "c", "title": "T", "text": "Story."}))
    study = {"name": "s", "cases": {"file": "cases.jsonl"}, "panels": [["m"]], "protocols": ["solo"]}
    for model in ({"from": "llama-3.1-8b"}, known_models()["llama-3.1-8b"].block):
        (tmp_path / "s.yaml").write_text(yaml.safe_dump({**study, "models": {"m": model}}))
        assert moot("plan", tmp_path / "s.yaml").exit_code == 0


def test_an_unknown_model_is_refused_with_the_nearest() -> None:
    refused(moot("models", "show", "lama-3.1-8b"), "found 'lama-3.1-8b'", "did you mean 'llama-3.1-8b'")
