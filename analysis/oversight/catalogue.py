"""All measures of oversight studies: what each is called, how it is defined, and where it is from."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from analysis.counting import Connect
from analysis.oversight import (
    accuracy,
    actions,
    adoption,
    agreement,
    balance,
    beliefs,
    calibration,
    decomposition,
    differences,
    exits,
    losses,
    pooled,
)
from analysis.oversight.study import BY, Study, read_study

DR = "arXiv 2607.01251"
"""The paper on disagreement resolution."""

HERE = "not in the paper"


@dataclass(frozen=True, slots=True)
class Measure:
    """One table of estimates. `needs` says what a run must hold; without it the table has no rows."""

    name: str
    title: str
    definition: str
    source: str
    needs: str
    estimate: Callable[[Study], pd.DataFrame]


JUDGED = "judgments of questions"
TWO = "judgments of two protocols that go on from the same openings"
RESOLVED = "disagreement resolutions of two consultants"

OVERSIGHT: tuple[Measure, ...] = (
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
        "judgments of questions from two data sets, named in the column source",
        lambda study: _several_sources(study, accuracy.estimate(study, (*BY, "source"))),
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
        "protocols",
        "Protocols compared",
        "The accuracy of a judge under one protocol less that under another, in the instances complete in"
        " both.",
        f"{DR}, Table 2",
        TWO,
        lambda study: differences.protocols(study),
    ),
    Measure(
        "protocols_sources",
        "Protocols compared by data set",
        "The same difference by the data set that questions are from.",
        f"{DR}, Table 2",
        f"{TWO}, from two data sets",
        lambda study: _several_sources(study, differences.protocols(study, ["source"])),
    ),
    Measure(
        "protocols_sweep",
        "Protocols compared, by judge",
        "For each judge the unweighted mean over data sets (n) of these differences; its interval draws"
        " cases jointly over all of them.",
        f"{DR}, Figure 4",
        f"{TWO}, from two data sets",
        lambda study: _several_sources(study, pooled.sweep(study)),
    ),
    Measure(
        "protocols_pooled",
        "Protocols compared, over all conditions",
        "The unweighted mean of these differences over all conditions (n), each a panel, a judge and a"
        " data set, and beside it (random) the mean under random effects, which takes conditions for"
        " independent although judges read the same debates.",
        f"{DR}, Table 2; random effects {HERE}",
        TWO,
        lambda study: pooled.summary(study),
    ),
    Measure(
        "balanced",
        "Protocols compared, balanced by who is right from the start",
        "The same difference had each consultant been right from the start equally often: the mean of the"
        " two strata, which is what drawing the larger one down to the smaller gives on average over all"
        " draws.",
        f"{DR}, Table 6",
        f"{TWO}, each consultant alone right in some",
        lambda study: balance.estimate(study),
    ),
    Measure(
        "adoption",
        "Whom judges follow",
        "Where consultants end on one answer, the share of judgments that adopt it (agreement); where"
        " they end on two, the share that takes one of them (disagreement), and of these the share that"
        " takes the right one (right side).",
        f"{DR}, Theorem 3",
        "judgments of debates in which two speak",
        lambda study: adoption.estimate(study),
    ),
    Measure(
        "ways",
        "How judges come to be right",
        "The share of instances decided rightly in each way; they sum to the accuracy. The consultants"
        " end on the right answer and are followed, end on a wrong one and are not, or differ and the"
        " judge takes the right side; to be right against both sides takes two wrong consultants.",
        HERE,
        "judgments of debates in which two speak",
        lambda study: decomposition.estimate(study),
    ),
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
    Measure(
        "ablations",
        "Ablations",
        "The accuracy with other parameters, steering or transformers less that of the usual form of the"
        " same protocol, paired by case and repetition.",
        f"{DR}, Table 7 and Figure 6",
        "judgments of a protocol in two forms",
        lambda study: differences.ablations(study),
    ),
    Measure(
        "lost",
        "What failed",
        "The share of debates, and of judgments, that were given up; they are in no other figure.",
        HERE,
        "debates of questions",
        lambda study: losses.failures(study),
    ),
    Measure(
        "violations",
        "Rules broken and turns not read",
        "The share of turns that broke a rule of their protocol, by rule, and of those that could not be"
        " read.",
        HERE,
        "debates of questions",
        lambda study: losses.violations(study),
    ),
)
"""Every measure of oversight studies, in the order of a report."""


def oversight_measures(run: str | Path, connect: Connect = nullcontext) -> dict[str, pd.DataFrame]:
    """All of `OVERSIGHT` by name. Raises as `study.read_study`."""
    study = read_study(run, connect)
    return {measure.name: measure.estimate(study) for measure in OVERSIGHT}


def _several_sources(study: Study, found: pd.DataFrame) -> pd.DataFrame:
    """The rows, where questions are from several data sets; else none, as they would say nothing new."""
    return found if study.judged["source"].nunique() > 1 else found[:0]
