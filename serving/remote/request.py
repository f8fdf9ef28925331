"""From an ask to the body of a chat-completions request."""

from __future__ import annotations

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask
from serving.chat import folded
from serving.context import least_tokens
from serving.errors import PromptTooLong
from serving.remote.answer import Json
from serving.remote_block import LOGPROBS, OPENAI, RemoteBlock

CHARACTERS = 4  # to a token, roughly, in English


def request_body(block: RemoteBlock, ask: Ask) -> dict[str, object]:
    """What is sent for an ask: all that the endpoint accepts of it, and nothing else."""
    accepts, sampling = block.accepts, ask.sampling
    body: dict[str, object] = {
        **{name: value for name, value in sampling.extra if accepts.logprobs or name not in LOGPROBS},
        "model": block.model,
        "messages": _messages(block, ask),
        max_tokens_name(block): sampling.max_tokens,
    }
    if accepts.temperature:
        body["temperature"] = sampling.temperature
    if accepts.top_p:
        body["top_p"] = sampling.top_p
    if accepts.seed:
        body["seed"] = ask.seed
    if accepts.response_format and ask.answer_format.schema is not None:
        body["response_format"] = response_format(ask.answer_format, ask.answer_format.schema)
    if block.provider:
        body["provider"] = block.provider
    return body


def response_format(form: AnswerFormat, schema: Json) -> dict[str, object]:
    """The answer format in the API's terms."""
    return {"type": "json_schema", "json_schema": {"name": form.field, "strict": True, "schema": schema}}


def max_tokens_name(block: RemoteBlock) -> str:
    """What the endpoint calls the most tokens that a reply may have."""
    own = "max_completion_tokens" if block.base_url == OPENAI else "max_tokens"
    return block.accepts.max_tokens or own


def not_sent(block: RemoteBlock) -> tuple[str, ...]:
    """What an ask holds and the endpoint does not accept, for the record."""
    accepts = block.accepts
    logprobs = [name for name in block.sampling_extra if name in LOGPROBS and not accepts.logprobs]
    parts = ("seed", "response_format", "system", "temperature", "top_p")
    return (*(part for part in parts if not getattr(accepts, part)), *logprobs)


def expected_tokens(ask: Ask) -> int:
    """Roughly the tokens that the ask costs at most: of its prompt, and of a reply as long as it may be."""
    return sum(len(message.content) for message in ask.messages) // CHARACTERS + ask.sampling.max_tokens


def check_room(block: RemoteBlock, ask: Ask) -> None:
    """Raises `PromptTooLong` where the ask certainly does not fit into the block's `context`.

    No tokenizer is at hand; a word is at least one token to all of them. The server tells the rest.
    """
    if block.context is None:
        return
    words = least_tokens(block, ask.messages)
    if words + ask.sampling.max_tokens > block.context:
        counted = "counting one for each word"
        raise PromptTooLong(block.model, words, ask.sampling.max_tokens, block.context, counted)


def _messages(block: RemoteBlock, ask: Ask) -> list[dict[str, str]]:
    messages = ask.messages if block.accepts.system else folded(ask.messages)
    return [{"role": message.role, "content": message.content} for message in messages]
