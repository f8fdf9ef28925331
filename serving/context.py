"""Whether a prompt will fit a model, known before any engine starts, without torch and vllm.

Everything here answers None where it cannot be known on this machine: agents without a context, a model
that is not on this disk, a tokenizer in another form than tokenizer.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from protocols.dialogue import Message
from serving.block import Block
from serving.catalogue import resolve
from serving.engine_block import EngineBlock
from serving.folder_chat import folder_chat
from serving.remote_block import RemoteBlock


def context_limit(block: Block) -> int | None:
    """Tokens that prompt and reply may have together: the model's own limit, or a lower max_model_len.

    Of a remote model it is what the block says. Raises `ModelError` for a model that cannot be had.
    """
    if isinstance(block, RemoteBlock):
        return block.context
    if not isinstance(block, EngineBlock):
        return None
    limits = (_own_limit(Path(resolve(block.model))), block.engine.get("max_model_len"))
    return min((limit for limit in limits if isinstance(limit, int) and limit > 0), default=None)


def prompt_tokens(block: Block, messages: Sequence[Message]) -> int | None:
    """Tokens of the prompt that these messages make, by the model's own template and tokenizer.

    Raises `ModelError` for a model that cannot be had or that has no chat template.
    """
    if not isinstance(block, EngineBlock):
        return None
    chat = folder_chat(Path(resolve(block.model)))
    return None if chat is None else len(chat.prompt(messages))


def least_tokens(block: Block, messages: Sequence[Message]) -> int:
    """Tokens that the prompt has for certain; 0 where nothing is known.

    Counted where the tokenizer is at hand; of a remote model one for every word, which no tokenizer
    undercuts. Raises as `prompt_tokens` does.
    """
    if isinstance(block, RemoteBlock):
        return sum(len(message.content.split()) for message in messages)
    return prompt_tokens(block, messages) or 0


def _own_limit(folder: Path) -> object:
    if not (folder / "config.json").is_file():
        return None
    settings = json.loads((folder / "config.json").read_text("utf-8"))
    return settings.get("text_config", settings).get("max_position_embeddings")
