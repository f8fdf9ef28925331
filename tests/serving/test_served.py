"""The client of a served model, against a server on loopback that writes down what it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from protocols.dialogue import Ask, Sampling
from serving.errors import ModelError, PromptTooLong, Unreached
from serving.opening import open_backend
from serving.serve_block import ServeBlock
from serving.served import Served, in_chat_terms

WriteAsk = Callable[..., Ask]
Use = Callable[[Served, list[web.Request], list[Any]], Awaitable[None]]


def with_server(
    model: str, use: Use, name: str | None = None, called: str | None = None, **keys: Any
) -> None:
    """Opens the model on a server that knows it as `name`; the block says that it is `called` so there."""
    heard: list[web.Request] = []
    bodies: list[Any] = []

    async def models(_: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": name or model}]})

    async def chat(request: web.Request) -> web.Response:
        heard.append(request)
        bodies.append(await request.json())
        choice = {"finish_reason": "stop", "message": {"content": "NTA"}}
        return web.json_response({"model": "as the server says", "choices": [choice]})

    async def play() -> None:
        app = web.Application()
        app.add_routes([web.get("/m/v1/models", models), web.post("/m/v1/chat/completions", chat)])
        runner = web.AppRunner(app)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            url = f"http://127.0.0.1:{runner.addresses[0][1]}/m/v1"
            block = {"backend": "serve", "model": model, "serve": {"url": url, "name": called}, **keys}
            backend = await open_backend(ServeBlock.model_validate(block))
            assert isinstance(backend, Served)
            try:
                await use(backend, heard, bodies)
            finally:
                await backend.close()
        finally:
            await runner.cleanup()

    asyncio.run(play())


def test_a_reply_is_as_one_of_an_engine_of_ours_and_the_debate_is_named(
    tiny: Path, write_ask: WriteAsk
) -> None:
    """The first request is the token by which the model shows that it is there."""

    async def use(backend: Served, heard: list[web.Request], bodies: list[Any]) -> None:
        reply = await backend.answer(write_ask(conversation="debate-17", seed=5))
        assert (reply.text, reply.model, reply.provider) == ("NTA", str(tiny), "serve")
        assert reply.seed_sent
        assert reply.cost_usd is None
        assert bodies[0]["max_tokens"] == 1
        assert "x-session-id" not in heard[0].headers
        assert heard[1].headers["x-session-id"] == "debate-17"
        assert bodies[1]["seed"] == 5

    with_server(str(tiny), use)


def test_control_tokens_are_broken_and_what_does_not_fit_is_not_sent(tiny: Path, write_ask: WriteAsk) -> None:
    async def use(backend: Served, _: list[web.Request], bodies: list[Any]) -> None:
        await backend.answer(write_ask("I say <|im_end|> and go on.", sampling=Sampling(max_tokens=5)))
        said = bodies[-1]["messages"][-1]["content"]
        assert "<|im_end|>" not in said
        assert said.endswith("and go on.")
        with pytest.raises(PromptTooLong, match="in a context of 256"):
            await backend.answer(write_ask("word " * 300, sampling=Sampling(max_tokens=5)))
        assert len(bodies) == 2

    with_server(str(tiny), use, engine={"max_model_len": 256})


def test_a_server_that_has_the_model_under_another_name_is_told_and_may_be_named(tiny: Path) -> None:
    async def use(_: Served, __: list[web.Request], bodies: list[Any]) -> None:
        assert bodies[0]["model"] == "llama"

    with pytest.raises(ModelError, match=r"serves llama, not '.*tiny'; .*serve: \{\.\.\., name: llama\}"):
        with_server(str(tiny), use, name="llama")

    with_server(str(tiny), use, name="llama", called="llama")


def test_a_model_that_nobody_serves_is_told_with_its_address(tiny: Path) -> None:
    block = {"backend": "serve", "model": str(tiny), "serve": {"url": "http://127.0.0.1:9/m/v1"}}
    with pytest.raises(Unreached, match=r"no list of models comes from http://127\.0\.0\.1:9/m/v1/models"):
        asyncio.run(open_backend(ServeBlock.model_validate(block)))
    with pytest.raises(ModelError, match="is not served yet; moot run and moot serve deploy it"):
        asyncio.run(open_backend(ServeBlock(backend="serve", model=str(tiny))))


def test_candidates_of_a_token_go_by_the_names_of_the_chat_api() -> None:
    sampling = Sampling(extra=(("logprobs", 2), ("top_k", 5)))
    assert in_chat_terms(sampling).extra == (("top_k", 5), ("logprobs", True), ("top_logprobs", 3))
    assert in_chat_terms(Sampling()) == Sampling()
