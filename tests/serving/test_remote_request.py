"""What is sent for an ask: all that the endpoint accepts, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Facts, Message, Sampling, Seen
from serving.errors import PromptTooLong
from serving.opening import open_backend
from serving.remote.request import check_room, expected_tokens, request_body
from serving.remote_block import RemoteBlock
from tests.serving.faulty_server import script, serving

WriteAsk = Callable[..., Ask]

PLAIN: dict[str, Any] = {"backend": "openai", "model": "m", "base_url": "http://localhost/v1", "key": None}
EXTRA = (("logprobs", True), ("top_k", 5), ("top_logprobs", 2))


def body(ask: Ask, **keys: object) -> dict[str, object]:
    return request_body(RemoteBlock.model_validate({**PLAIN, **keys}), ask)


def test_all_of_an_ask_is_sent_but_its_facts(write_ask: WriteAsk) -> None:
    facts = Facts(case_id="secret case", own_last="NTA", seen=(Seen(1, "s2", "YTA"),))
    form = AnswerFormat("json", labels=("NTA", "YTA"))
    ask = write_ask(sampling=Sampling(0.5, 60, 0.9, EXTRA), answer_format=form, seed=7, facts=facts)
    assert body(ask, provider={"only": ["x"]}) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You judge everyday conflicts."},
            {"role": "user", "content": "Who is at fault?"},
        ],
        "max_tokens": 60,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 7,
        "logprobs": True,
        "top_logprobs": 2,
        "top_k": 5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": form.schema},
        },
        "provider": {"only": ["x"]},
    }


def test_what_the_endpoint_does_not_accept_is_not_sent(write_ask: WriteAsk) -> None:
    names = ("seed", "response_format", "logprobs", "system", "temperature", "top_p")
    ask = write_ask(sampling=Sampling(extra=EXTRA), answer_format=AnswerFormat("json"))
    assert body(ask, accepts=dict.fromkeys(names, False)) == {
        "model": "m",
        "messages": [{"role": "user", "content": "You judge everyday conflicts.\n\nWho is at fault?"}],
        "max_tokens": 512,
        "top_k": 5,
    }


@pytest.mark.parametrize("transport", ["official", "lean"])
def test_what_arrives_is_what_was_composed(
    transport: str, write_ask: WriteAsk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The body to the last field, the key where there is one; the reply tells whether its seed was sent."""
    monkeypatch.setenv("STUDY_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-this")
    ask = write_ask(user="Größe „ß“ 🙂", answer_format=AnswerFormat("json"), seed=5)

    async def play() -> None:
        async with serving(script()) as faulty:
            for key, accepts in ((None, {"seed": False}), ("STUDY_KEY", {})):
                keys = {**PLAIN, "base_url": faulty.base_url, "transport": transport}
                block = RemoteBlock.model_validate({**keys, "key": key, "accepts": accepts})
                backend = await open_backend(block)
                reply = await backend.answer(ask)
                await backend.probe()
                await backend.close()
                await backend.close()
                assert reply.seed_sent == ("seed" in faulty.bodies[-1]) == (not accepts)
                assert faulty.bodies[-1] == request_body(block, ask)
            assert faulty.keys == [None, "Bearer sk-1"]

    asyncio.run(play())


def test_a_prompt_is_refused_before_it_is_sent_only_where_it_certainly_does_not_fit(
    write_ask: WriteAsk,
) -> None:
    short = {**PLAIN, "max_tokens": 100}
    ask = write_ask(user="word " * 96, sampling=Sampling(max_tokens=100))
    for context in (None, 200):
        check_room(RemoteBlock.model_validate({**short, "context": context}), ask)
    with pytest.raises(PromptTooLong, match=r"has 100 tokens \(counting one for each word.*at most 99"):
        check_room(RemoteBlock.model_validate({**short, "context": 199}), ask)


def test_tokens_are_expected_by_length(write_ask: WriteAsk) -> None:
    ask = write_ask(messages=(Message("user", "x" * 400),), sampling=Sampling(max_tokens=50))
    assert expected_tokens(ask) == 150


def test_replicas_share_what_is_declared(write_ask: WriteAsk) -> None:
    async def in_flight(replicas: int) -> int:
        backend = await open_backend(
            RemoteBlock.model_validate({**PLAIN, "in_flight": 8, "replicas": replicas})
        )
        await backend.close()
        return backend.in_flight

    assert [asyncio.run(in_flight(replicas)) for replicas in (1, 3, 8)] == [8, 2, 1]
