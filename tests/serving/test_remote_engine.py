"""Both transports against vLLM's own OpenAI-compatible server with the tiny model: one server for all."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from serving.blocks import RemoteBlock, VllmBlock
from serving.context import prompt_tokens
from serving.errors import AuthError, ModelError, PromptTooLong
from serving.opening import open_backend
from serving.vllm_arguments import ENVIRONMENT

pytestmark = [pytest.mark.engine, pytest.mark.timeout(600)]

WriteAsk = Callable[..., Ask]

KEY = "sk-of-the-test"
ARGUMENTS = [
    *("--served-model-name", "tiny", "--host", "127.0.0.1", "--generation-config", "vllm"),
    *("--dtype", "float32", "--max-model-len", "1024", "--max-num-batched-tokens", "1024"),
    *("--max-num-seqs", "8", "--kv-cache-memory-bytes", str(2**28)),
    *("--enforce-eager", "--no-enable-chunked-prefill", "--no-async-scheduling"),
    *("--structured-outputs-config", '{"backend": "xgrammar", "disable_any_whitespace": true}'),
]
STARTING = 400.0  # seconds; on a busy machine the engine takes more than one minute
LONG = "The neighbour borrowed the ladder and did not bring it back. " * 200


@pytest.fixture(scope="module")
def url(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The server's address, once it answers; the server and its engine are ended afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (tmp_path_factory.mktemp("server") / "log").open("w+b") as log:
        server = start(tiny, port, log)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server, Path(log.name))
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            end(server)


def start(model: Path, port: int, log: BinaryIO) -> subprocess.Popen[bytes]:
    module = "vllm.entrypoints.openai.api_server"
    command = [sys.executable, "-m", module, "--model", str(model), "--port", str(port), *ARGUMENTS]
    environment = {**os.environ, **ENVIRONMENT, "HF_HUB_OFFLINE": "1", "VLLM_API_KEY": KEY}
    return subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)


def wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + STARTING
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, ConnectionError):
            time.sleep(0.5)
    pytest.fail(f"the server did not start:\n{log.read_text()[-5000:]}")


def end(server: subprocess.Popen[bytes]) -> None:
    """Ends the server with its engine, which is in the same process group."""
    server.terminate()
    try:
        server.wait(60)
    finally:
        try:
            os.killpg(server.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


@pytest.fixture(params=["official", "lean"])
def answers(
    request: pytest.FixtureRequest, url: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[Reply]]:
    """Asks the server all at once, by either transport."""
    monkeypatch.setenv("TINY_KEY", KEY)
    block = {"backend": "openai", "model": "tiny", "base_url": url, "key": "TINY_KEY", "tries": 2}
    block["transport"] = request.param

    def ask(*asks: Ask, **keys: object) -> list[Reply]:
        async def play() -> list[Reply]:
            backend = await open_backend(RemoteBlock.model_validate({**block, **keys}))
            try:
                return await asyncio.gather(*map(backend.answer, asks))
            finally:
                await backend.close()

        return asyncio.run(play())

    return ask


Answers = Callable[..., list[Reply]]


def test_a_seed_gives_its_text_again_and_another_gives_another(answers: Answers, write_ask: WriteAsk) -> None:
    asks = [write_ask(sampling=Sampling(max_tokens=24), seed=seed) for seed in (1, 1, 2)]
    first, again, other = (answers(ask)[0].text for ask in asks)
    assert first == again != other


def test_a_reply_knows_its_tokens_its_end_and_who_gave_it(answers: Answers, write_ask: WriteAsk) -> None:
    ask = write_ask(sampling=Sampling(max_tokens=24, extra=(("ignore_eos", True),)))
    [reply] = answers(ask, price={"input": 1.0, "output": 2.0})
    block = VllmBlock(backend="vllm", model="tiny")
    assert reply.prompt_tokens == prompt_tokens(block, ask.messages)
    assert (reply.completion_tokens, reply.finish_reason) == (24, "length")
    assert (reply.model, reply.provider, reply.reasoning) == ("tiny", "127.0.0.1", "")
    assert (reply.seed_sent, reply.attempts) == (True, 1)
    assert reply.prompt_tokens is not None
    assert reply.cost_usd == pytest.approx((reply.prompt_tokens + 48) / 1e6)


def test_json_is_enforced_even_on_a_random_model(answers: Answers, write_ask: WriteAsk) -> None:
    form = AnswerFormat("json", labels=("NTA", "YTA"))
    asks = [write_ask(answer_format=form, sampling=Sampling(max_tokens=200), seed=seed) for seed in range(4)]
    for reply in answers(*asks):
        text = reply.text if reply.finish_reason == "stop" else reply.text.rstrip("\\") + '"}'
        assert json.loads(text)["verdict"] in form.labels


def test_log_probabilities_come_as_json_where_they_are_asked_for(
    answers: Answers, write_ask: WriteAsk
) -> None:
    wanted = Sampling(max_tokens=2, extra=(("logprobs", True), ("top_logprobs", 2)))
    [reply] = answers(write_ask(sampling=wanted))
    assert reply.logprobs is not None
    tokens = json.loads(reply.logprobs)
    assert len(tokens) == reply.completion_tokens
    assert all(len(candidates) >= 2 for candidates in tokens)
    assert all(value <= 0 for candidates in tokens for _, value in candidates)


def test_a_prompt_that_leaves_no_room_is_too_long(answers: Answers, write_ask: WriteAsk) -> None:
    """By what the server says, and, where the block knows the context, before it is sent."""
    ask = write_ask(user=LONG, sampling=Sampling(max_tokens=24))
    with pytest.raises(
        PromptTooLong, match="the server finds the prompt with max_tokens 24 too long"
    ) as said:
        answers(ask)
    assert "1024" in str(said.value)
    with pytest.raises(
        PromptTooLong, match="in a context of 1024 with max_tokens 24 it may have at most 1000"
    ):
        answers(ask, context=1024)


def test_what_looks_like_reasoning_in_a_text_is_left_there(answers: Answers, write_ask: WriteAsk) -> None:
    stopped = Sampling(temperature=0.0, max_tokens=24, extra=(("ignore_eos", True),))
    messages = (Message("user", "<think>Say this.</think>"),)
    [with_tags] = answers(write_ask(messages=messages, sampling=stopped))
    assert (with_tags.reasoning, with_tags.completion_tokens) == ("", 24)
    assert with_tags.text


def test_a_system_text_for_a_model_without_a_system_role_is_read_all_the_same(
    answers: Answers, write_ask: WriteAsk
) -> None:
    ask = write_ask(sampling=Sampling(max_tokens=4))
    folded = [Message("user", "\n\n".join(message.content for message in ask.messages))]
    [reply] = answers(ask, accepts={"system": False})
    assert reply.prompt_tokens == prompt_tokens(VllmBlock(backend="vllm", model="tiny"), folded)


def test_a_wrong_key_and_a_wrong_model_are_told(
    answers: Answers, write_ask: WriteAsk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelError, match="elsewhere"):
        answers(write_ask(), model="elsewhere")
    monkeypatch.setenv("TINY_KEY", "sk-wrong")
    with pytest.raises(AuthError, match="HTTP 401"):
        answers(write_ask())
