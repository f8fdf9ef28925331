"""What an engine is started with on CPUs and GPUs, and what a block may change."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from serving.blocks import VllmBlock
from serving.vllm_arguments import ENVIRONMENT, engine_arguments, prepare_environment


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment in which nothing of vLLM's is set."""
    monkeypatch.setattr(os, "environ", dict(os.environ))
    for name in [*ENVIRONMENT, "HF_HUB_OFFLINE"]:
        os.environ.pop(name, None)


def test_our_cpu_defaults_stand_on_cpus_alone(tiny: Path) -> None:
    block = VllmBlock(backend="vllm", model="tiny")
    on_cpu, on_gpu = engine_arguments(block, on_cpu=True), engine_arguments(block, on_cpu=False)
    assert (on_cpu["dtype"], on_cpu["enable_chunked_prefill"]) == ("float32", False)
    assert {"dtype", "enforce_eager", "enable_chunked_prefill"}.isdisjoint(on_gpu)
    assert on_cpu["model"] == on_gpu["model"] == str(tiny)


def test_the_blocks_own_engine_arguments_win(tiny: Path) -> None:
    block = VllmBlock(backend="vllm", model="tiny", engine={"dtype": "bfloat16", "max_num_seqs": 4})
    arguments = engine_arguments(block, on_cpu=True)
    assert (arguments["dtype"], arguments["max_num_seqs"]) == ("bfloat16", 4)


def test_tensor_parallelism_runs_on_one_node_unless_the_block_says_otherwise() -> None:
    wide = VllmBlock(backend="vllm", model="org/name", revision="abc", tensor_parallel=4)
    arguments = engine_arguments(wide, on_cpu=False)
    assert (arguments["tensor_parallel_size"], arguments["distributed_executor_backend"]) == (4, "mp")
    assert (arguments["model"], arguments["revision"]) == ("org/name", "abc")
    several = wide.model_copy(update={"engine": {"distributed_executor_backend": "ray"}})
    assert engine_arguments(several, on_cpu=False)["distributed_executor_backend"] == "ray"


@pytest.mark.usefixtures("bare")
def test_only_a_model_on_this_disk_is_loaded_without_the_hub(tiny: Path) -> None:
    prepare_environment(VllmBlock(backend="vllm", model="org/name"))
    assert "HF_HUB_OFFLINE" not in os.environ
    prepare_environment(VllmBlock(backend="vllm", model="tiny"))
    assert os.environ["HF_HUB_OFFLINE"] == "1"


@pytest.mark.usefixtures("bare")
def test_a_variable_that_is_already_set_stays(tiny: Path) -> None:
    os.environ["OMP_NUM_THREADS"] = "16"
    prepare_environment(VllmBlock(backend="vllm", model="tiny"))
    assert os.environ["OMP_NUM_THREADS"] == "16"
