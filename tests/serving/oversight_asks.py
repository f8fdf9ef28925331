"""One question, and what simulated models of declared competence answer to it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from math import sqrt

from protocols.answer_format import AnswerFormat
from protocols.dialogue import Ask, Reply
from protocols.reading import read
from serving.blocks import SimulatedBlock
from serving.simulated import Simulated

FORM = AnswerFormat("text", "answer", tuple("ABCD"), ("w", "x", "right", "z"))
KNOWS = {"c": {"truth": "right"}, "own": {"truth": "right", "right": 1}, "other": {"truth": "y"}}


def answer(ask: Ask, **law: object) -> Reply:
    block = {"backend": "simulated", "oversight": {"knows": KNOWS} | law}
    return asyncio.run(Simulated(SimulatedBlock.model_validate(block)).answer(ask))


def labels(ask: Ask, **law: object) -> Counter[str | None]:
    """How often each label comes, over 400 seeds."""
    form = ask.answer_format

    async def texts() -> list[str]:
        block = {"backend": "simulated", "oversight": {"knows": KNOWS} | law}
        backend = Simulated(SimulatedBlock.model_validate(block))
        return [(await backend.answer(replace(ask, seed=seed))).text for seed in range(400)]

    return Counter(
        read(text, "stop", form.field, form.labels, form.option_texts).label for text in asyncio.run(texts())
    )


def alike(counts: Counter[str | None], expected: set[str]) -> bool:
    """Whether nothing else came, and each about as often: within 4 standard errors."""
    share = 1 / len(expected)
    error = 4 * sqrt(400 * share * (1 - share))
    return set(counts) == expected and all(abs(n - 400 * share) <= error for n in counts.values())
