"""Agents that answer by a law of chance, from `Ask.facts` alone.

Questions are answered by a block's `oversight`, where it has one (`simulated_consultant`, `simulated_judge`);
everything else by the logit model of debate (`simulated_logit`), and values are found as `simulated_values`
says. Whoever is to prefer one of several drafts picks any of them. All chance comes from the ask's seed: the
same ask has the same reply.
"""

from __future__ import annotations

import asyncio
import time
from math import exp

from protocols.dialogue import Ask, Reply
from serving.blocks import Lognormal, SimulatedBlock
from serving.simulated_chance import normal, one_of, uniform
from serving.simulated_consultant import consult
from serving.simulated_judge import decide
from serving.simulated_logit import debate
from serving.simulated_said import Said
from serving.simulated_text import critique, inquiry, reply
from serving.simulated_values import values


def seconds(latency: float | Lognormal, seed: int) -> float:
    """How long the reply takes."""
    if isinstance(latency, Lognormal):
        return latency.median * exp(latency.sigma * normal(seed, "latency"))
    return latency


class Simulated:
    """A backend that draws what to say by the laws above and writes a short text around it."""

    def __init__(self, block: SimulatedBlock) -> None:
        self._block = block

    @property
    def in_flight(self) -> int:
        """As declared."""
        return self._block.in_flight

    @property
    def condition(self) -> None:
        """Nothing lies on the way to it."""

    async def answer(self, ask: Ask) -> Reply:
        """A reply in the asked format; token counts are numbers of words."""
        text = self._text(ask)
        duration = seconds(self._block.latency, ask.seed)
        if duration > 0:
            await asyncio.sleep(duration)
        return Reply(
            text=text,
            model="simulated",
            provider="simulated",
            prompt_tokens=sum(len(message.content.split()) for message in ask.messages),
            completion_tokens=len(text.split()),
            seconds=duration,
            time=time.time(),
        )

    def _text(self, ask: Ask) -> str:
        if ask.answer_format.field == "values":
            return ask.answer_format.write_values(values(self._block.phi_seed, ask))
        if ask.kind == "critique":
            return critique(ask)
        if ask.kind == "judge" and ask.answer_format.field == "argument":
            return inquiry(ask)
        said = self._said(ask)
        return "" if said is None else reply(ask, said)

    def _said(self, ask: Ask) -> Said | None:
        form, law = ask.answer_format, self._block.oversight
        if ask.kind == "preference":
            return Said(one_of(form.labels, uniform(ask.seed, "label")))
        if law is None or not (form.option_texts or ask.facts.options):
            return debate(self._block, ask)
        return decide(law, ask) if ask.kind == "judge" else consult(law, ask)

    async def probe(self) -> None:
        """A formula is always there."""

    async def close(self) -> None:
        """Nothing to give back."""
