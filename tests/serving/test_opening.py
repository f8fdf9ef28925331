"""Every block opens as a backend that answers, can be probed, and closes twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from protocols.dialogue import Ask
from serving.blocks import ModelBlock
from serving.errors import ModelError
from serving.limits.gate import Gate
from serving.limits.limits_block import Limits
from serving.limits.share import Share
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


def test_replicas_of_a_remote_model_know_their_numbers_and_count_from_one_moment(
    read_block: Callable[..., ModelBlock], monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[Share] = []

    def gate(limits: Limits, in_flight: int, share: Share) -> Gate:
        shares.append(share)
        assert limits.requests_per_minute == 30
        return Gate(limits, in_flight, share=share)

    monkeypatch.setattr("serving.remote.backend.Gate", gate)
    limits = {"requests_per_minute": 60}
    block = read_block(backend="openai", model="m", key=None, replicas=2, limits=limits)

    async def use() -> None:
        for number in range(2):
            await (await open_backend(block, replica=number)).close()

    asyncio.run(use())
    assert [(share.number, share.replicas) for share in shares] == [(0, 2), (1, 2)]
    assert shares[0].epoch == pytest.approx(shares[1].epoch, abs=1)
    assert time.monotonic() - shares[0].epoch == pytest.approx(time.time(), abs=60)
