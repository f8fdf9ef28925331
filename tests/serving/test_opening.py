"""Every block opens as a backend that answers, can be probed, and closes twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from protocols.dialogue import Ask
from serving.blocks import ModelBlock
from serving.errors import ModelError
from serving.opening import open_backend


@pytest.mark.parametrize(
    "block",
    [
        {"backend": "simulated", "in_flight": 3},
        {"backend": "scripted", "replies": [{"text": "My current verdict: NTA"}], "in_flight": 3},
    ],
    ids=lambda block: str(block["backend"]),
)
def test_a_block_opens_as_a_backend(
    block: dict[str, object], read_block: Callable[..., ModelBlock], write_ask: Callable[..., Ask]
) -> None:
    async def use() -> str:
        backend = await open_backend(read_block(**block))
        assert backend.in_flight == 3
        await backend.probe()
        reply = await backend.answer(write_ask())
        await backend.close()
        await backend.close()
        return reply.provider

    assert asyncio.run(use()) == block["backend"]


def test_a_model_that_is_nowhere_is_refused_before_an_engine_is_loaded(
    read_block: Callable[..., ModelBlock],
) -> None:
    with pytest.raises(ModelError, match="model 'nowhere': unknown name"):
        asyncio.run(open_backend(read_block(backend="vllm", model="nowhere")))
