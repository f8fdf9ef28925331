"""A vLLM engine as a backend. Importing this module imports vllm; `prepare_environment` comes before.

The engine's core runs in a process of its own, which `close` ends and which ends with this process.
Sampled replies are drawn with the ask's seed; that the same seed gives the same text under another
batch is vLLM's to keep and is not promised.

Not verified on a GPU: vLLM's default arguments there, tensor parallelism, memory given back by `close`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count
from typing import TypeVar

from vllm import AsyncEngineArgs, RequestOutput, SamplingParams, TokensPrompt
from vllm.exceptions import VLLMClientError, VLLMError
from vllm.platforms import current_platform
from vllm.usage.usage_lib import UsageContext
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.engine.exceptions import EngineDeadError

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from serving.blocks import VllmBlock
from serving.errors import AskRefused, EngineDead, ModelError, PromptTooLong, TransportError
from serving.vllm_arguments import engine_arguments, prepare_cpu
from serving.vllm_reasoning import parting
from serving.vllm_request import reply, sampling_parameters, tokenizer_chat
from serving.weights import fetch

T = TypeVar("T")

CLOSING = 30.0  # seconds for the engine to give back its memory before it is killed; it takes about five
GREETING = (Message("user", "Say yes."),)


class VllmEngine:
    """One engine, answering many asks at once. Opened by `start`."""

    def __init__(self, block: VllmBlock, engine: AsyncLLM) -> None:
        self._block = block
        self._engine = engine
        self._chat = tokenizer_chat(block.model, engine.get_tokenizer())
        self._limit = int(engine.model_config.max_model_len)
        self._names = count()
        self._open: set[str] = set()
        self._closed = False
        self._tokenizing = ThreadPoolExecutor(1, thread_name_prefix="tokenizing")
        self._chat.check()
        self._part = parting(block, engine.get_tokenizer(), self._chat)

    @classmethod
    async def start(cls, block: VllmBlock) -> VllmEngine:
        """Starts an engine, in seconds to minutes. Raises `ModelError` where it does not come up."""
        on_cpu = current_platform.is_cpu()
        if on_cpu:
            prepare_cpu()
        arguments = engine_arguments(block, on_cpu)
        try:
            sampling_parameters(block.sampling(), AnswerFormat(), seed=0)
            await asyncio.to_thread(fetch, block.model, block.revision)
            engine = await asyncio.to_thread(_launch, arguments)
        except (OSError, RuntimeError, TypeError, ValueError, VLLMError) as error:
            raise ModelError(f"model '{block.model}': the engine did not start: {error}") from error
        try:
            return cls(block, engine)
        except BaseException:
            engine.shutdown()
            raise

    @property
    def in_flight(self) -> int:
        """As declared; by default as many as the engine puts into one batch."""
        return self._block.in_flight or int(self._engine.scheduler_config.max_num_seqs)

    @property
    def condition(self) -> None:
        """Nothing lies on the way to it."""

    async def answer(self, ask: Ask) -> Reply:
        """The model's reply.

        Raises `PromptTooLong` before anything is sent unless prompt and max_tokens fit into the
        context; `AskRefused` for what the template or the engine does not take; `TransportError`
        for a reply that the engine broke off; `EngineDead`.
        """
        started = time.monotonic()
        if self._closed:
            raise EngineDead(f"{self._block.model}: the engine has been closed")
        try:
            tokens = await self._in_thread(lambda: self._chat.prompt(ask.messages))
            parameters = sampling_parameters(ask.sampling, ask.answer_format, ask.seed)
        except (ValueError, TypeError, VLLMError) as error:
            raise AskRefused(f"{self._block.model}: {error}") from error
        if len(tokens) + ask.sampling.max_tokens > self._limit:
            raise PromptTooLong(self._block.model, len(tokens), ask.sampling.max_tokens, self._limit)
        output = await self._generate(tokens, parameters)
        answered = reply(self._block.model, output, elapsed=time.monotonic() - started)
        reasoning, text = self._part(answered.text)
        return replace(answered, reasoning=reasoning, text=text)

    async def probe(self) -> None:
        """Has the model write one token."""
        await self.answer(Ask("probe", self._block.model, GREETING, Sampling(max_tokens=1), AnswerFormat()))

    async def close(self) -> None:
        """Breaks off what is in flight, by `TransportError`, and ends the engine and its process."""
        if self._closed:
            return
        self._closed = True
        await self._engine.abort(self._open)
        self._tokenizing.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self._engine.shutdown, CLOSING)

    async def _generate(self, tokens: list[int], parameters: SamplingParams) -> RequestOutput:
        prompt, name = TokensPrompt(prompt_token_ids=tokens), f"ask-{next(self._names)}"
        self._open.add(name)
        try:
            outputs = [output async for output in self._engine.generate(prompt, parameters, name)]
        except EngineDeadError as error:
            raise EngineDead(f"{self._block.model}: the engine is gone; its log says why") from error
        except VLLMClientError as error:
            raise AskRefused(f"{self._block.model}: the engine refuses the ask: {error}") from error
        except VLLMError as error:
            raise TransportError(f"{self._block.model}: the engine failed on this ask: {error!r}") from error
        finally:
            self._open.discard(name)
        return outputs[-1]

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._tokenizing, work)


def _launch(arguments: dict[str, object]) -> AsyncLLM:
    # As a server, vLLM chooses its batch sizes for the GPU at hand; in other contexts it takes general ones.
    server = UsageContext.OPENAI_API_SERVER
    return AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments), usage_context=server)
