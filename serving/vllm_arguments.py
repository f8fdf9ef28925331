"""What a vLLM engine is started with: the process's environment and the engine's arguments.

On CPUs vLLM's own defaults are slow or crash, so ours stand in for them: single precision (bfloat16 is
several times slower without AVX512), no compilation, no chunked prefill (with seeds per request it
crashes the CPU sampler), 1 GiB of KV cache. On GPUs vLLM's defaults stand, but that tensor parallelism runs
in processes on one node, which sees all of the engine's GPUs. Whatever a block's `engine` names, and any
environment variable that is already set, wins.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from serving.catalogue import resolve
from serving.engine_block import EngineBlock
from serving.errors import ModelError

ENVIRONMENT = {
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",  # several engines may share the cores; without effect on GPUs
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
CPU_ENVIRONMENT = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0"}
"""One process for scheduler and model: two of them spin while they wait for each other, and take the cores of
the agents. An engine with tensor parallelism has its processes all the same."""

OFFLINE = {"HF_HUB_OFFLINE": "1"}  # nothing to look up for a model on this disk

DEFAULTS: dict[str, object] = {
    "tokenizer_mode": "hf",
    "use_tqdm_on_load": False,
    "structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True},
}
CPU_DEFAULTS: dict[str, object] = {
    "dtype": "float32",
    "enforce_eager": True,
    "enable_chunked_prefill": False,
    "async_scheduling": False,
    "kv_cache_memory_bytes": 2**30,
}

ONE_NODE: dict[str, object] = {"distributed_executor_backend": "mp"}


def environment(block: EngineBlock) -> dict[str, str]:
    """What vLLM reads when it is first imported; what is set already stands above it."""
    wanted = ENVIRONMENT | (OFFLINE if Path(resolve(block.model)).is_dir() else {})
    return {name: os.environ.get(name, value) for name, value in wanted.items()}


def prepare_environment(block: EngineBlock) -> None:
    """Sets what vLLM reads when it is first imported. Raises `ModelError` where vLLM is not installed."""
    if find_spec("vllm") is None:
        raise ModelError("vLLM is not installed; install moot with its extra 'cpu' or 'gpu'")
    _set(environment(block))


def prepare_cpu() -> None:
    """Sets what vLLM reads when an engine is made on CPUs."""
    _set(CPU_ENVIRONMENT)


def engine_arguments(block: EngineBlock, on_cpu: bool) -> dict[str, object]:
    """The arguments of AsyncEngineArgs. Raises `ModelError` for a model that cannot be had."""
    return {
        **DEFAULTS,
        **(CPU_DEFAULTS if on_cpu else {}),
        **(ONE_NODE if block.tensor_parallel > 1 else {}),
        **block.engine,
        "model": resolve(block.model),
        "revision": block.revision,
        "tensor_parallel_size": block.tensor_parallel,
    }


def _set(environment: Mapping[str, str]) -> None:
    """What is set already wins."""
    for name, value in environment.items():
        os.environ.setdefault(name, value)
