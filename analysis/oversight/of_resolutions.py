"""What is measured of disagreement resolutions: how they end, and what consultants do in them."""

from __future__ import annotations

from analysis.measure import DR, Measure
from analysis.oversight import actions, agreement, beliefs, calibration, exits
from analysis.oversight.study import Study

RESOLVED = "disagreement resolutions of two consultants"

RESOLUTIONS: tuple[Measure[[Study]], ...] = (
    Measure(
        "exits",
        "How disagreement resolutions end",
        "The share that ends with one answer (consensus), with the answers exchanged in the last turn"
        " (swapped), or with two answers after the last turn (turn limit).",
        DR,
        RESOLVED,
        lambda study: exits.estimate(study),
    ),
    Measure(
        "exits_right",
        "Accuracy by how they end",
        "The share of instances that are decided rightly and ended in each way; they sum to the accuracy.",
        f"{DR}, Eq. 1",
        f"judgments of {RESOLVED}",
        lambda study: exits.right(study),
    ),
    Measure(
        "agreement",
        "Agreement by turn",
        "The share of disagreement resolutions in which both consultants hold one answer by each turn."
        " The answer of a consultant stands until it gives another in a turn that can be read and breaks"
        " no rule.",
        f"{DR}, Figure 3",
        RESOLVED,
        lambda study: agreement.estimate(study),
    ),
    Measure(
        "actions",
        "What consultants do while they differ",
        "The share of turns in which a consultant keeps the right answer (persistence), comes to it"
        " (recovery), leaves it (overthinking) or keeps to a wrong one (stubbornness), of the turns before"
        " which the answers differed and one was right. Turns that break a rule or cannot be read are"
        " counted apart, as are those before which a consultant had no answer.",
        f"{DR}, Table 4",
        RESOLVED,
        lambda study: actions.estimate(study),
    ),
    Measure(
        "calibration",
        "Calibration by action",
        "The mean squared distance of the confidence that is stated in an answer from 1 where it is"
        " right, else from 0 (chosen); and the same with the confidence turned into one in the right"
        " answer (converted), which is another number. Actions without a stated confidence are left out.",
        f"{DR}, Table 4",
        f"{RESOLVED} with stated confidence",
        lambda study: calibration.estimate(study),
    ),
    Measure(
        "beliefs",
        "What consultants believe at the end",
        "beta_C, the mean squared distance from 1 of what consultants believe of the right answer in"
        " their last turn. By the rule to give that answer just where it is believed with 1/2 or more, at"
        " most 4 beta_C of the last answers are wrong.",
        f"{DR}, Lemma 4",
        f"{RESOLVED} with stated confidence",
        lambda study: beliefs.estimate(study),
    ),
)
