"""What is estimated from the arms and beside them: in words, what identifies it, and what it assumes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Scale = Literal["probability", "log-odds"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An estimate by its `name`: of which `arm`, on which `scale`, `words` for it, what it `says`.

    `designed` are those that a design identifies; the others stand beside them.
    """

    name: str
    arm: Literal["reask", "planted", "debates", "debates and reask"]
    scale: Scale
    words: str
    says: str
    designed: bool = False


QUANTITIES = (
    Quantity(
        "kept",
        "reask",
        "probability",
        "verdicts kept when asked again alone",
        "Raw: what the model prefers and what the case calls for is in it.",
    ),
    Quantity(
        "kept_elsewhere",
        "reask",
        "probability",
        "the same between conversations",
        "What the model and the case account for: the verdict before is that of another debate.",
    ),
    Quantity(
        "kept_more",
        "reask",
        "probability",
        "difference: staying",
        "All that a conversation adds to staying, nobody being heard: inertia, and whatever else lasts"
        " through one conversation. Assumes no model, but that repetitions are independent given the case.",
        True,
    ),
    Quantity(
        "alpha_within",
        "reask",
        "log-odds",
        "inertia, within conversations",
        "Inertia without what a conversation leans to, whatever that is. Assumes that a verdict depends on"
        " the last one and no earlier one, and that nothing changes from the second asking on.",
        True,
    ),
    Quantity(
        "alpha_reask",
        "reask",
        "log-odds",
        "Eq. 2 on seats asked again alone",
        "Inertia and what lasts through a conversation, in one number; of which there is how much of each it"
        " cannot say.",
    ),
    Quantity(
        "alpha_debates",
        "debates",
        "log-odds",
        "Eq. 2 on debates",
        "The same of debates: what their seats have in common is taken for inertia, too.",
    ),
    Quantity(
        "alpha_debates_same_model",
        "debates",
        "log-odds",
        "the same, pairs of one model",
        "Free of leanings of models on a case, not of those of debates.",
    ),
    Quantity(
        "alpha_difference",
        "debates and reask",
        "log-odds",
        "Eq. 2 on debates less re-asks",
        "What company changes about staying, if what lasts through a debate is what lasts through a"
        " conversation alone, and biases both alike; neither is sure.",
    ),
    Quantity(
        "follows",
        "planted",
        "probability",
        "the planted verdict given",
        "Raw: it would have been given now and then without being heard.",
    ),
    Quantity(
        "follows_other",
        "planted",
        "probability",
        "another given, on average",
        "How often a verdict is given that could have been planted and was not.",
    ),
    Quantity(
        "conformity",
        "planted",
        "probability",
        "difference: conformity",
        "What hearing a verdict instead of another does to giving it, on average over verdicts. Assumes a"
        " fair drawing, and that what cannot be read does not depend on it; no model.",
        True,
    ),
    Quantity(
        "conformity_eq2",
        "debates",
        "probability",
        "what Eq. 2 on debates expects",
        "The difference that its slope would make to the very same verdicts; the interval is that of the"
        " slope alone.",
    ),
    Quantity(
        "gamma_planted",
        "planted",
        "log-odds",
        "conformity by randomisation",
        "Not confounded. As an odds ratio averages over what else a debate leans to, it is nearer to 0 than"
        " that within one debate; the difference of shares is not.",
        True,
    ),
    Quantity(
        "gamma_debates",
        "debates",
        "log-odds",
        "Eq. 2 on debates",
        "What seats of one debate have in common is taken for conformity.",
    ),
    Quantity(
        "gamma_debates_same_model",
        "debates",
        "log-odds",
        "the same, pairs of one model",
        "Free of leanings of models on a case, not of those of debates.",
    ),
)
"""In the order in which they are told."""

BY_NAME = {one.name: one for one in QUANTITIES}
