"""All measures of verdicts: what each is called, how it is defined, and where it is from."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pandas as pd

from analysis import courses, failures, turns
from analysis.counting import Connect, Counted, tallied
from analysis.courses import Courses
from analysis.measure import HERE, Measure
from analysis.measures import (
    agreement,
    alone,
    change,
    comparison,
    consensus,
    distribution,
    homogeneity,
    matched,
    solo,
)
from analysis.outcomes import Missing

IP = "arXiv 2510.10002"
"""The paper on interaction protocols."""

REVIEW = f"a review of {IP}"

VerdictMeasure = Measure[[Courses, Missing]]

PANELS = "debates of two seats or more"
HEARD = "debates in which seats hear each other"

VERDICTS: tuple[VerdictMeasure, ...] = (
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
    Measure(
        "order_consensus",
        "Order effects on consensus",
        "The share of debates with their first consensus in each round under one speaking order less that"
        " under another, paired by case; round 1 is where a debate ended in one round.",
        f"{IP}, Figures 2c and 8",
        "one panel in two speaking orders",
        lambda found, missing: comparison.consensus(found, "order", missing),
    ),
    Measure(
        "order_change",
        "Order effects on change of verdict",
        "The rate of change of verdict of the same seat under one speaking order less that under another,"
        " paired by case.",
        f"{IP}, Figures 2d and 10",
        "one panel in two speaking orders",
        lambda found, _: comparison.changes(found, "order"),
    ),
    Measure(
        "order_agreed",
        "Order effects on what panels agree on",
        "The share of each verdict among debates with consensus under one speaking order less that under"
        " another, in the cases with consensus under both.",
        f"{IP}, Figure 9",
        "one panel in two speaking orders, with consensus",
        lambda found, missing: comparison.verdicts(found, "order", missing),
    ),
    Measure(
        "steering_consensus",
        "Steering and consensus",
        "The share of debates with their first consensus in each round under a steering less that under the"
        " default one, in points and relative to it, paired by case.",
        f"{IP}, Figures 13 to 16, Tables 2 and 3",
        "one panel under two steerings",
        lambda found, missing: comparison.consensus(found, "steering", missing),
    ),
    Measure(
        "steering_change",
        "Steering and change of verdict",
        "The rate of change of verdict of a model under a steering less that under the default one, in points"
        " and relative to it, paired by case.",
        f"{IP}, Figures 13 to 16, Tables 2 and 3",
        "one panel under two steerings",
        lambda found, _: comparison.changes(found, "steering"),
    ),
    Measure(
        "panel_consensus",
        "Panels compared: consensus",
        "The share of debates with their first consensus in each round, and never, on one panel less that on"
        " another, paired by case: models against models, and sizes against sizes.",
        f"{IP}, Appendices D and E",
        "two panels on the same cases",
        lambda found, missing: comparison.consensus(found, "panel", missing),
    ),
    Measure(
        "panel_change",
        "Panels compared: change of verdict",
        "The rate of change of verdict on one panel less that on another, paired by case: of any seat, also"
        " among debates without consensus, and of a model that both have.",
        f"{IP}, Appendices D and E",
        "two panels on the same cases",
        lambda found, _: comparison.changes(found, "panel"),
    ),
    Measure(
        "solo",
        "Solo answers and their majority",
        "The share of each verdict among solo answers (of one answer), and the probability that it wins the"
        " majority of several, drawn without replacement from those there are and exact over all draws; a"
        " tie is decided by lot.",
        HERE,
        "solo debates",
        lambda found, _: solo.estimate(found),
    ),
    Measure(
        "alone",
        "Consensus in round 1 against solo answers",
        "The share of debates with consensus in round 1 less the probability that one solo answer of each"
        " seat's model, drawn at random, all give one verdict.",
        HERE,
        "debates that go on from no other, and solo debates of the models of their panels on their cases",
        lambda found, _: alone.estimate(found),
    ),
    Measure(
        "matched_verdicts",
        "What debates decide against a majority of as many solo answers",
        "The share of each verdict among decisions of debates less its probability to win the majority of as"
        " many solo answers as the debate made calls, exact over all draws of them; a tie is decided by lot.",
        HERE,
        "debates that go on from no other, and as many solo answers to a case as one of it made calls",
        lambda found, _: matched.verdicts(found),
    ),
    Measure(
        "matched_same",
        "Debates that decide as a majority of as many solo answers would",
        "The expected share of debates with consensus whose verdict is that of the majority of as many solo"
        " answers as it made calls.",
        HERE,
        "debates that go on from no other, and as many solo answers to a case as one of it made calls",
        lambda found, _: matched.same(found),
    ),
)
"""Every measure of verdicts, in the order of a report."""

COUNTED: dict[str, Counted] = {
    "turns": (turns.COLUMNS, lambda rows: courses.count(turns.frame(rows))),
    "failures": (failures.COLUMNS, failures.count),
}
"""The tables that measures of verdicts read."""


def verdict_measures(
    run: str | Path, missing: Missing = "disagree", connect: Connect = nullcontext
) -> dict[str, pd.DataFrame]:
    """All of `VERDICTS` by name, from one pass over the parts of a run; as `counting.tallied` does it."""
    found = courses.read(tallied(run, COUNTED, connect))
    return {measure.name: measure.estimate(found, missing) for measure in VERDICTS}
