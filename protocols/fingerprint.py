"""What identifies a question: a logged reply may be reused only for the very question it answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from hashlib import blake2b

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Sampling

ModelBlock = Mapping[str, str | None]
"""A model as declared: backend, model, revision, base_url. Nothing about replicas, limits, prices or keys."""


@cache
def plain(of: Sampling | AnswerFormat) -> dict[str, object]:
    """Its fields as plain data, made once for the few that a run has; not to be changed.

    A format without parts has no such field: it is the question that it was before formats had parts.
    """
    fields = asdict(of)
    return {name: value for name, value in fields.items() if name != "parts" or value}


def question(ask: Ask, block: ModelBlock) -> dict[str, object]:
    """All that the answer may depend on, as plain data."""
    return {
        "messages": [[message.role, message.content] for message in ask.messages],
        "model": dict(sorted(block.items())),
        "sampling": plain(ask.sampling),
        "answer_format": plain(ask.answer_format),
        "seed": ask.seed,
    }


def fingerprint(ask: Ask, block: ModelBlock) -> str:
    """A hash of the question, 32 hexadecimal digits, equal in every process."""
    text = json.dumps(question(ask, block), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=16).hexdigest()
