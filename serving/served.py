"""A model on Ray Serve as a backend: the client of its application, made to answer as our own engines do.

What the engine here would see is what the server's engine sees: control tokens in messages are broken, a
system text that the template does not take is folded, a prompt that does not fit is not sent. This needs
the model's tokenizer on this node, in its folder or in the cache of the hub; where it cannot be had, messages
are sent as they are, and the server tells which do not fit.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Message, Reply, Sampling
from serving.chat import Chat, folded
from serving.context import context_limit
from serving.errors import AskRefused, ModelError, PromptTooLong
from serving.folder_chat import folder_chat
from serving.limits.condition import Condition
from serving.remote.backend import Remote
from serving.remote.key import Key
from serving.remote.models import names_served
from serving.remote_block import Deadlines, RemoteBlock
from serving.serve_block import ServeBlock
from serving.thinking import opened
from serving.weights import tokenizer_folder

GREETING = (Message("user", "Say yes."),)


class Served:
    """All replicas of one model behind one address. Opened by `start`."""

    def __init__(self, block: ServeBlock, remote: Remote, chat: Chat | None) -> None:
        self._block, self._remote, self._chat = block, remote, chat
        self._limit = context_limit(block)
        parsed = "reasoning_parser" in block.engine
        self._opens = chat is not None and chat.opens_thinking and not parsed

    @classmethod
    async def start(cls, block: ServeBlock) -> Served:
        """The client, once the model has really written one token.

        Raises `ModelError` where the model is not served there under its name, else what kept it from
        writing.
        """
        remote = remote_block(block)
        await _check_name(block, remote)
        client = Remote(remote, Key(None), sessions=True)
        served = cls(block, client, _chat(block))
        try:
            await served.probe()
        except BaseException:
            await served.close()
            raise
        return served

    @property
    def in_flight(self) -> int:
        """As declared; by default as many as all its engines put into batches."""
        return self._block.asks

    @property
    def condition(self) -> Condition:
        """How the way to the application stands."""
        return self._remote.condition

    async def answer(self, ask: Ask) -> Reply:
        """The model's reply.

        Raises as `Remote` does, and where the tokenizer is at hand `PromptTooLong` and `AskRefused` before
        anything is sent.
        """
        sent = replace(ask, sampling=in_chat_terms(ask.sampling), messages=self._shown(ask))
        reply = await self._remote.answer(sent)
        text = opened(reply.text) if self._opens and not reply.reasoning else reply.text
        return replace(reply, text=text, model=self._block.model, provider="serve")

    async def probe(self) -> None:
        """Has the model write one token."""
        await self._remote.answer(
            Ask("probe", self._block.model, GREETING, Sampling(max_tokens=1), AnswerFormat())
        )

    async def close(self) -> None:
        """Closes the client; the application is not its own."""
        await self._remote.close()

    def _shown(self, ask: Ask) -> tuple[Message, ...]:
        """The messages as the server is to see them."""
        chat = self._chat
        if chat is None:
            return ask.messages
        try:
            tokens = len(chat.prompt(ask.messages))
        except ValueError as error:
            raise AskRefused(f"{self._block.model}: {error}") from error
        most = ask.sampling.max_tokens
        if self._limit is not None and tokens + most > self._limit:
            raise PromptTooLong(self._block.model, tokens, most, self._limit)
        shown = ask.messages if chat.takes_system else folded(ask.messages)
        return tuple(Message(each.role, chat.harmless(each.content)) for each in shown)


def remote_block(block: ServeBlock) -> RemoteBlock:
    """The endpoint of a served model. Raises `ModelError` for one that is not deployed."""
    url = None if block.serve is None else block.serve.url
    if url is None:
        raise ModelError(
            f"model '{block.model}' is not served yet; moot run and moot serve deploy it, nothing else does"
        )
    return RemoteBlock(
        backend="openai",
        model=block.served_name,
        base_url=url,
        key=None,
        max_tokens=block.max_tokens,
        transport="lean",
        in_flight=block.asks,
        limits=block.limits,
        deadlines=Deadlines(first_byte=block.reply_seconds, total=block.reply_seconds),
        tries=block.tries,
    )


def in_chat_terms(sampling: Sampling) -> Sampling:
    """What vLLM calls `logprobs`, a number of candidates, the chat API calls `top_logprobs`.

    There the token that was drawn is one of them, so one more is asked for.
    """
    extra = dict(sampling.extra)
    candidates = extra.pop("logprobs", None)
    if not isinstance(candidates, int):
        return sampling
    most = candidates + 1 if candidates >= 0 else candidates
    return replace(sampling, extra=(*extra.items(), ("logprobs", True), ("top_logprobs", most)))


async def _check_name(block: ServeBlock, remote: RemoteBlock) -> None:
    """Raises `ModelError` where the server has the model under no such name."""
    names = await names_served(remote.base_url)
    if block.served_name not in names:
        raise ModelError(
            f"{remote.base_url} serves {', '.join(names) or 'nothing'}, not '{block.served_name}'; if it is"
            " the same model under another name, give that under serve:"
            f" {{..., name: {names[0] if names else 'NAME'}}}"
        )


def _chat(block: ServeBlock) -> Chat | None:
    folder = tokenizer_folder(block.model, block.revision)
    chat = None if folder is None else folder_chat(folder)
    if chat is None:
        logging.getLogger(__name__).warning(
            "%s: its tokenizer cannot be read here, so control tokens in messages are sent as they stand",
            block.model,
        )
    return chat
