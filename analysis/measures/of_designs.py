"""What is measured of designs: what speaking orders, steerings and panels change."""

from __future__ import annotations

from analysis.courses import Courses
from analysis.measure import IP, Measure
from analysis.measures import comparison
from analysis.outcomes import Missing

DESIGNS: tuple[Measure[[Courses, Missing]], ...] = (
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
)
