"""What is measured of answers given alone, and of debates against them."""

from __future__ import annotations

from analysis.courses import Courses
from analysis.measure import HERE, Measure
from analysis.measures import alone, matched, solo
from analysis.outcomes import Missing

SOLO: tuple[Measure[[Courses, Missing]], ...] = (
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
