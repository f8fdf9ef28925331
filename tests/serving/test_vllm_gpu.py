"""On GPUs: vLLM's own defaults and tensor parallelism. Skipped where there are not enough of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from protocols.dialogue import Ask, Reply, Sampling
from serving.blocks import VllmBlock
from serving.opening import open_backend

GPUS = len([*Path("/proc/driver/nvidia/gpus").glob("*")])

pytestmark = [
    pytest.mark.engine,
    pytest.mark.gpu,
    pytest.mark.filterwarnings("default"),
    pytest.mark.timeout(900),
]


def gpus(number: int) -> pytest.MarkDecorator:
    return pytest.mark.skipif(number > GPUS, reason=f"needs {number} GPUs; this machine has {GPUS}")


@pytest.mark.parametrize("tensor_parallel", [pytest.param(1, marks=gpus(1)), pytest.param(2, marks=gpus(2))])
def test_smollm2_answers_on_gpus_and_gives_them_back(
    tensor_parallel: int, smollm2: Path, write_ask: Callable[..., Ask]
) -> None:
    # SmolLM2 has three key-value heads; the tiny model's two heads can be split in two.
    model = "smollm2" if tensor_parallel == 1 else "tiny"
    block = VllmBlock(
        backend="vllm", model=model, tensor_parallel=tensor_parallel, engine={"gpu_memory_utilization": 0.3}
    )

    async def twice() -> list[Reply]:
        replies = []
        for _ in range(2):  # the second engine has room only if the first has given its memory back
            backend = await open_backend(block)
            await backend.probe()
            replies.append(await backend.answer(write_ask(sampling=Sampling(max_tokens=16), seed=1)))
            await backend.close()
        return replies

    assert all(reply.completion_tokens for reply in asyncio.run(twice()))
