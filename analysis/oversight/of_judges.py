"""What is measured of judges: how often they are right, and what they make of consultants."""

from __future__ import annotations

from analysis.measure import DR, HERE, Measure
from analysis.oversight import accuracy, adoption, decomposition
from analysis.oversight.sources import SETS, of_several
from analysis.oversight.study import BY, Study

JUDGED = "judgments of questions"
SPOKEN = "judgments of debates in which two speak"

JUDGES: tuple[Measure[[Study]], ...] = (
    Measure(
        "accuracy",
        "Accuracy of judges",
        "The share of instances that a judge decides rightly. An instance is a question in one"
        " repetition; where it has several transcripts, as debates have with their stances exchanged, it"
        " scores the mean over those that there are. A judge that calls for neither agent, or cannot be"
        " read, is wrong; what failed is left out. A naive judge sees nothing but the question.",
        f"{DR}, Table 2",
        JUDGED,
        lambda study: accuracy.estimate(study),
    ),
    Measure(
        "accuracy_sources",
        "Accuracy of judges by data set",
        "The same by the data set that questions are from.",
        f"{DR}, Table 2",
        f"{JUDGED} {SETS}",
        lambda study: of_several(study, accuracy.estimate(study, (*BY, "source"))),
    ),
    Measure(
        "accuracy_consultancies",
        "Accuracy by who argues alone",
        "The same of consultancies, by the seat that argues and by whether it does for its own opening answer"
        " or, with stances exchanged, for that of the other. A consultancy of either seat is one protocol, of"
        " which the accuracy is the mean over all of these.",
        HERE,
        "judgments of consultancies",
        lambda study: accuracy.consultancies(study),
    ),
    Measure(
        "consultants",
        "What consultants know from the start",
        "The share of openings that are right, by seat: of all, of those that disagree, and of those of"
        " which exactly one is right, where the shares of two seats sum to 100%. An opening that cannot be"
        " read is wrong.",
        f"{DR}, Table 2",
        "openings of questions",
        lambda study: accuracy.consultants(study),
    ),
    Measure(
        "adoption",
        "Whom judges follow",
        "Where consultants end on one answer, the share of judgments that adopt it (agreement); where"
        " they end on two, the share that takes one of them (disagreement), and of these the share that"
        " takes the right one (right side).",
        f"{DR}, Theorem 3",
        SPOKEN,
        lambda study: adoption.estimate(study),
    ),
    Measure(
        "ways",
        "How judges come to be right",
        "The share of instances decided rightly in each way; they sum to the accuracy. The consultants"
        " end on the right answer and are followed, end on a wrong one and are not, or differ and the"
        " judge takes the right side; to be right against both sides takes two wrong consultants.",
        HERE,
        SPOKEN,
        lambda study: decomposition.estimate(study),
    ),
)
