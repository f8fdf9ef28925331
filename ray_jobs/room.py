"""How much room a model has for prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from protocols.dialogue import Ask
from serving.context import least_tokens
from serving.engine_block import EngineBlock
from serving.remote_block import RemoteBlock

Hosting: TypeAlias = EngineBlock | RemoteBlock
"""Blocks of models that have a context; agents that are simulated or scripted have none."""


@dataclass(frozen=True, slots=True)
class Room:
    """A model's context, `limit` tokens, of which `max_tokens` are for the reply."""

    model: str
    block: Hosting
    limit: int

    @property
    def prompt(self) -> int:
        """Tokens that a prompt may have."""
        return max(0, self.limit - self.block.max_tokens)

    def tokens(self, ask: Ask) -> int:
        """Tokens that the ask's prompt has for certain; 0 where they cannot be counted on this machine."""
        return least_tokens(self.block, ask.messages)

    @property
    def counted(self) -> str:
        """What to add to a number of tokens."""
        return " (one for each word)" if isinstance(self.block, RemoteBlock) else ""

    @property
    def way_out(self) -> str:
        """What else to do where a prompt is too long."""
        if isinstance(self.block, RemoteBlock):
            return "take a model with a longer context"
        return "raise engine: max_model_len where the model allows it"
