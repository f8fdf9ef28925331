"""What identifies a question: a logged reply may be reused only for the very question it answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b

from protocols.dialogue import Ask

ModelBlock = Mapping[str, str | None]
"""A model as declared: backend, model, revision, base_url. Nothing about replicas, limits, prices or keys."""


def question(ask: Ask, block: ModelBlock) -> dict[str, object]:
    """All that the answer may depend on, as plain data."""
    return {
        "messages": [[message.role, message.content] for message in ask.messages],
        "model": dict(sorted(block.items())),
        "sampling": asdict(ask.sampling),
        "answer_format": asdict(ask.answer_format),
        "seed": ask.seed,
    }


def fingerprint(ask: Ask, block: ModelBlock) -> str:
    """A hash of the question, 32 hexadecimal digits, equal in every process."""
    text = json.dumps(question(ask, block), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()
