"""Models of the hub on a cluster without GPUs: what is too large is refused, what is slow is warned of."""

import pytest

from ray_jobs.cluster.capacity import Capacity
from ray_jobs.cluster.without_gpus import without_gpus
from serving.blocks import ModelBlock, VllmBlock
from serving.known_models import block_of
from serving.serve_block import Place, ServeBlock


def capacity(memory: float, gpus: float = 0.0) -> Capacity:
    nodes = ({"CPU": 2.0, "memory": memory, "GPU": gpus},)
    return Capacity(nodes, nodes)


def test_a_model_whose_weights_no_node_can_hold_is_refused_with_the_sum() -> None:
    """70.6 billion parameters of two bytes are 141 GB."""
    [found] = without_gpus({"big": block_of("llama-3.1-70b")}, capacity(17e9))
    assert (found.level, found.what) == ("fail", "model 'big'")
    assert "no node has a GPU, and its weights take 141 GB, and a node at most 17 GB" in found.found
    assert found.do.startswith("add nodes with 4 GPUs for each replica")
    [slow] = without_gpus({"big": block_of("llama-3.1-70b")}, capacity(142e9))
    assert slow.level == "warn"


def test_a_model_of_unknown_size_is_warned_of() -> None:
    [found] = without_gpus({"m": VllmBlock(backend="vllm", model="org/unknown")}, capacity(1e9))
    assert (found.level, found.found) == ("warn", "no node has a GPU, so its engines run on CPUs")


@pytest.mark.parametrize(
    "block",
    [
        VllmBlock(backend="vllm", model="tiny"),
        VllmBlock(backend="vllm", model="/models/own"),
        ServeBlock(backend="serve", model="org/big", serve=Place(url="http://far/v1")),
    ],
)
def test_nothing_is_said_of_what_is_meant_for_cpus_or_runs_elsewhere(block: ModelBlock) -> None:
    assert list(without_gpus({"m": block}, capacity(1e9))) == []


def test_nothing_is_said_where_there_are_gpus() -> None:
    assert list(without_gpus({"big": block_of("llama-3.1-70b")}, capacity(17e9, gpus=4.0))) == []
