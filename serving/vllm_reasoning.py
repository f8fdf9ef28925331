"""What a model on an engine of ours thought, kept apart from what it said. Importing this imports vllm.

A block that names a `reasoning_parser` under `engine` has replies parted by vLLM's parser of that name, as
vLLM's own server does, which also lets a JSON schema hold for what is said only. Without one, tags stay in
the text, where they are read; only one that stands at the end of the prompt is put before the reply.
"""

from __future__ import annotations

from collections.abc import Callable

from transformers import PreTrainedTokenizerBase
from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.reasoning import ReasoningParserManager

from serving.chat import Chat
from serving.engine_block import EngineBlock
from serving.errors import ModelError
from serving.thinking import opened

PARSER = "reasoning_parser"


def parting(
    block: EngineBlock, tokenizer: PreTrainedTokenizerBase, chat: Chat
) -> Callable[[str], tuple[str, str]]:
    """How a reply is parted into what was thought and what was said.

    Raises `ModelError` for a parser that vLLM does not have or that does not go with the tokenizer.
    """
    name = block.engine.get(PARSER)
    if name:
        return _by_parser(str(name), tokenizer)
    if chat.opens_thinking:
        return lambda text: ("", opened(text))
    return lambda text: ("", text)


def _by_parser(name: str, tokenizer: PreTrainedTokenizerBase) -> Callable[[str], tuple[str, str]]:
    request = ChatCompletionRequest(messages=[{"role": "user", "content": ""}])
    try:
        parser = ReasoningParserManager.get_reasoning_parser(name)(tokenizer)
    except (KeyError, RuntimeError) as error:
        raise ModelError(f"engine: {PARSER}: '{name}' does not go with this model: {error}") from None

    def part(text: str) -> tuple[str, str]:
        thought, said = parser.extract_reasoning(text, request)
        return thought or "", said or ""

    return part
