"""Models of a hub, which stands on loopback here: fetched once to a node, and left alone otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.fake_hub import NAME, Hub, running

pytestmark = pytest.mark.long

FETCH = "import sys; from serving.weights import fetch; fetch(sys.argv[1])"
ALONE = {"HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
FILES = {
    "config.json": b"{}",
    "tokenizer.json": b"[]",
    "model.safetensors": b"w" * 2**20,
    "pytorch_model.bin": b"the same once more",
    "original/consolidated.00.pth": b"and again",
}


@pytest.fixture
def hub() -> Iterator[Hub]:
    with running(Hub(FILES)) as hub:
        yield hub


def start(hub: Hub, cache: Path, model: str = NAME, **environment: str) -> subprocess.Popen[str]:
    settings = {"HF_ENDPOINT": hub.endpoint, "HF_HOME": str(cache), **ALONE, **environment}
    command = [sys.executable, "-c", FETCH, model]
    return subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)


def test_of_replicas_that_start_together_one_fetches_the_weights(hub: Hub, tmp_path: Path) -> None:
    """What is there twice, in an older form, is fetched by none."""
    replicas = [start(hub, tmp_path) for _ in range(3)]
    assert [replica.communicate()[1] for replica in replicas] == ["", "", ""]
    assert hub.fetched == {"config.json": 1, "tokenizer.json": 1, "model.safetensors": 1}


def test_what_is_there_serves_also_when_the_hub_is_gone(hub: Hub, tmp_path: Path) -> None:
    for _ in range(2):
        assert start(hub, tmp_path).communicate()[1] == ""
    assert hub.fetched["model.safetensors"] == 1
    assert start(hub, tmp_path, HF_ENDPOINT="http://127.0.0.1:9").communicate()[1] == ""


def test_a_model_that_cannot_be_had_is_told_by_one_message(hub: Hub, tmp_path: Path) -> None:
    failed = start(hub, tmp_path, "org/other")
    told = failed.communicate()[1]
    assert failed.returncode == 1
    assert f"model 'org/other' cannot be fetched from {hub.endpoint}" in told
    assert "HF_TOKEN" in told


def test_a_folder_and_a_hub_that_is_switched_off_are_left_alone(hub: Hub, tmp_path: Path, tiny: Path) -> None:
    assert start(hub, tmp_path, str(tiny)).communicate()[1] == ""
    assert start(hub, tmp_path, HF_HUB_OFFLINE="1").communicate()[1] == ""
    assert not hub.fetched
