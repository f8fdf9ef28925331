"""Asks of one debate carry its id where a server keeps to it, and Ray Serve sends them to one replica."""

from __future__ import annotations

import asyncio
import socket
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import ray

from protocols.dialogue import Ask
from serving.applications import address, take_down
from serving.deployments import deployment_options
from serving.remote.backend import Remote
from serving.remote.key import Key
from serving.remote_block import RemoteBlock
from serving.serve_block import ServeBlock
from tests.serving.raw_server import answer, raw_server, reply

DEBATES, ASKS, REPLICAS = 60, 3, 3


def remote(url: str, transport: str = "lean", sessions: bool = True) -> Remote:
    block = RemoteBlock.model_validate(
        {"backend": "openai", "model": "m", "base_url": url, "key": None, "transport": transport}
    )
    return Remote(block, Key(None), sessions=sessions)


@pytest.mark.parametrize("transport", ["lean", "official"])
@pytest.mark.parametrize("sessions", [True, False])
def test_a_debates_id_is_a_header_for_servers_of_our_own_alone(
    transport: str, sessions: bool, write_ask: Callable[..., Ask]
) -> None:
    heads: list[bytes] = []

    async def ask() -> None:
        async with raw_server(lambda: answer(reply()), heads.append) as url:
            client = remote(url, transport, sessions)
            await client.answer(write_ask(conversation="debate-17"))
            await client.close()

    asyncio.run(ask())
    assert len(heads) == 1
    assert (b"x-session-id: debate-17" in heads[0]) == sessions


@pytest.fixture
def cluster() -> Iterator[None]:
    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.ray
@pytest.mark.timeout(120)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_debate_keeps_to_one_replica_and_all_replicas_have_some(
    cluster: None, write_ask: Callable[..., Ask]
) -> None:
    """By the options that served models are deployed with."""
    from ray import serve  # which warns when it is imported

    block = ServeBlock(backend="serve", model="org/name", replicas=REPLICAS)

    @serve.deployment(**deployment_options(block, on_cpu=True))
    class Echo:
        """Replies by the id of its replica."""

        async def __call__(self, _request: Any) -> dict[str, object]:
            return reply(serve.get_replica_context().replica_id.unique_id)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serve.start(http_options={"host": "127.0.0.1", "port": port})
    serve.run(Echo.bind(), name="echo", route_prefix="/echo")

    async def ask_all() -> dict[str, set[str]]:
        heard: defaultdict[str, set[str]] = defaultdict(set)
        client = remote(address("echo"))

        async def one(ask: Ask) -> None:
            heard[ask.conversation].add((await client.answer(ask)).text)

        ask = write_ask()
        asks = [replace(ask, conversation=f"debate{n}") for n in range(DEBATES) for _ in range(ASKS)]
        await asyncio.gather(*map(one, asks))
        await client.close()
        return heard

    heard = asyncio.run(ask_all())
    assert len(heard) == DEBATES
    assert all(len(replicas) == 1 for replicas in heard.values())
    assert len(set().union(*heard.values())) == REPLICAS
    take_down(["echo"])
    assert not serve.status().applications
