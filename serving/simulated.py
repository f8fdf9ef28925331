"""Agents that follow a multinomial logit model of debate, from `Ask.facts` alone.

The label v of a seat in round r is drawn with probability exp(eta_v) / sum over u of exp(eta_u), where

    eta_v = theta_v + phi_{case, v}
            + alpha        * [v is the seat's own last label, if readable]
            + gamma_prev   * (number of other seats whose label in round r-1 is v)
            + gamma_within * (number of seats that gave v earlier in round r)

and phi_{case, v} ~ N(0, phi_sd) is the same for every model that names the same phi_seed. All chance
comes from the ask's seed: the same ask has the same reply.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from math import exp

from protocols.dialogue import Ask, Reply
from serving.blocks import Lognormal, SimulatedBlock
from serving.simulated_chance import normal, phi, uniform
from serving.simulated_text import explanation
from serving.simulated_values import values


def logits(block: SimulatedBlock, ask: Ask) -> list[float]:
    """eta_v for every label of the ask's answer format, in its order."""
    facts = ask.facts
    before = [seen.label for seen in facts.seen if seen.round == facts.round - 1]
    within = [seen.label for seen in facts.seen if seen.round == facts.round]
    return [
        block.theta.get(label, 0.0)
        + block.phi_sd * phi(block.phi_seed, facts.case_id, label)
        + block.alpha * (label == facts.own_last)
        + block.gamma_prev * before.count(label)
        + block.gamma_within * within.count(label)
        for label in ask.answer_format.labels
    ]


def choose(labels: Sequence[str], etas: Sequence[float], u: float) -> str:
    """The label in whose part of (0, 1) `u` falls, when each part is as wide as its softmax probability."""
    top = max(etas)
    weights = [exp(eta - top) for eta in etas]
    remaining = u * sum(weights)
    for label, weight in zip(labels, weights, strict=True):
        remaining -= weight
        if remaining < 0:
            return label
    return labels[-1]


def seconds(latency: float | Lognormal, seed: int) -> float:
    """How long the reply takes."""
    if isinstance(latency, Lognormal):
        return latency.median * exp(latency.sigma * normal(seed, "latency"))
    return latency


class Simulated:
    """A backend that draws a label by the model above and writes a short text around it."""

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
        form = ask.answer_format
        if form.field == "values":
            return form.write_values(values(self._block.phi_seed, ask))
        label = choose(form.labels, logits(self._block, ask), uniform(ask.seed, "label"))
        return form.write(label, explanation(label, ask))

    async def probe(self) -> None:
        """A formula is always there."""

    async def close(self) -> None:
        """Nothing to give back."""
