"""A multinomial logit model of debate, by which agents answer from `Ask.facts` alone.

The label v of a seat in round r is drawn with probability exp(eta_v) / sum over u of exp(eta_u), where

    eta_v = theta_v + phi_{case, v}
            + alpha        * [v is the seat's own last label, if readable]
            + gamma_prev   * (number of other seats whose label in round r-1 is v)
            + gamma_within * (number of seats that gave v earlier in round r)
            + shock_{debate, v}

and phi_{case, v} ~ N(0, phi_sd), shock_{debate, v} ~ N(0, shock_sd) are the same for every model that names
the same phi_seed, a shock in all rounds of a debate and for all of its seats. A position is drawn so among
the labels that the seat and the others hold; an argument is for the stance that was asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from protocols.dialogue import Ask
from serving.blocks import SimulatedBlock
from serving.simulated_chance import drawn, one_of, phi, shock, uniform
from serving.simulated_said import ADOPT, HIGH, LOW, MEDIUM, RETAIN, Said


def debate(block: SimulatedBlock, ask: Ask) -> Said:
    """What a seat says by the model above."""
    facts = ask.facts
    if facts.stance is not None:
        return Said(facts.stance)
    etas = dict(zip(ask.answer_format.labels, logits(block, ask), strict=True))
    if ask.answer_format.parts:
        held = {facts.own_last, *(seen.label for seen in facts.seen)}
        etas = {label: eta for label, eta in etas.items() if label in held} or etas
    label = choose([*etas], [*etas.values()], uniform(ask.seed, "label"))
    return Said(
        label,
        one_of((LOW, MEDIUM, HIGH), uniform(ask.seed, "confidence")),
        RETAIN if label == facts.own_last else ADOPT,
    )


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
        + block.shock_sd * shock(block.phi_seed, ask.conversation, label)
        for label in ask.answer_format.labels
    ]


def choose(labels: Sequence[str], etas: Sequence[float], u: float) -> str:
    """The label in whose part of (0, 1) `u` falls, when each part is as wide as its softmax probability."""
    top = max(etas)
    return drawn(labels, [exp(eta - top) for eta in etas], u)
