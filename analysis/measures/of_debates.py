"""What is measured of debates: when seats agree, whether they change, and what they say."""

from __future__ import annotations

from analysis.courses import Courses
from analysis.measure import HERE, IP, Measure
from analysis.measures import agreement, change, consensus, distribution, homogeneity
from analysis.outcomes import Missing

PANELS = "debates of two seats or more"
HEARD = "debates in which seats hear each other"
REVIEW = f"a review of {IP}"

DEBATES: tuple[Measure[[Courses, Missing]], ...] = (
    Measure(
        "consensus",
        "Consensus by round",
        "The share of finished debates whose first round with consensus is this one. In a round there is"
        " consensus when all seats gave a readable verdict and all are equal; a majority is none.",
        f"{IP}, Figures 2a, 2c and 8",
        PANELS,
        lambda found, missing: consensus.estimate(found, missing),
    ),
    Measure(
        "consensus_when",
        "Consensus in round 1, later or never",
        "The same in three outcomes. In a protocol that stops at consensus, round 1 is where it ended in one"
        " round.",
        f"{IP}, Figures 2a, 2c and 8",
        PANELS,
        lambda found, missing: consensus.derived(found, missing),
    ),
    Measure(
        "change",
        "Change of verdict",
        "Changed: any later readable verdict of a seat differs from its readable verdict of round 1; ended:"
        " the last one does. The denominator is every debate with a readable verdict of it in round 1,"
        " those that disagreed there, or those that never had consensus.",
        f"{IP}, Figures 2b, 2d, 10 and 13 to 16; the variants {HERE}",
        HEARD,
        lambda found, _: change.estimate(found),
    ),
    Measure(
        "change_by_opponent",
        "Change of verdict by opponent",
        "The same rate for the seats of a model, by the models that it sits with, all its places on the panel"
        " and in the order together.",
        HERE,
        HEARD,
        lambda found, _: change.by_opponent(found),
    ),
    Measure(
        "positions",
        "First-round agreement and later revision, by position and predecessor",
        "In round_robin, how often the first verdict of a later speaker is the one just heard, and how often"
        " a seat later leaves its first verdict; by its place in the order and the model that speaks before"
        " it, all orders together.",
        f"{REVIEW}; {IP}, Figure 10",
        "debates that began in round_robin",
        lambda found, _: agreement.estimate(found),
    ),
    Measure(
        "verdicts",
        "Verdicts before and after",
        "The share of each verdict among the readable ones of a model: in round 1, in the last round of the"
        " debate, and the last readable one of each seat.",
        f"{IP}, Figures 3 and 9",
        "finished debates",
        lambda found, _: distribution.estimate(found),
    ),
    Measure(
        "verdict_shift",
        "Change of the verdict distribution",
        "The share of each verdict in the last round less that in round 1, of seats with a readable verdict"
        " in both, paired by case.",
        f"{IP}, Figures 3 and 9",
        HEARD,
        lambda found, _: distribution.shift(found),
    ),
    Measure(
        "verdict_moves",
        "Whether the verdict distribution changed",
        "The share of seats whose verdict of the last round is not that of round 1, with the test of Stuart"
        " and Maxwell that both are distributed alike.",
        f"{IP}, Figures 3 and 9; the test {HERE}",
        HEARD,
        lambda found, _: homogeneity.estimate(found),
    ),
    Measure(
        "agreed",
        "What panels agree on",
        "The share of each verdict among the debates with consensus, in whatever round.",
        f"{IP}, Figure 9",
        "debates with consensus",
        lambda found, missing: distribution.agreed(found, missing),
    ),
)
