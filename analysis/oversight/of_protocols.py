"""What is measured of protocols: how much oftener judges are right under one than under another."""

from __future__ import annotations

from analysis.measure import DR, HERE, Measure
from analysis.oversight import balance, differences, pooled
from analysis.oversight.sources import SETS, of_several
from analysis.oversight.study import Study

TWO = "judgments of two protocols that go on from the same openings"

PROTOCOLS: tuple[Measure[[Study]], ...] = (
    Measure(
        "protocols",
        "Protocols compared",
        "The accuracy of a judge under one protocol less that under another, in the instances complete in"
        " both. Each protocol is played in its plain form: without transformers and steering, parameters as"
        " usual. Judges see the same of both; where resolutions are judged by positions and other protocols"
        " by the transcript, the former are set against the latter too.",
        f"{DR}, Table 2",
        TWO,
        lambda study: differences.protocols(study),
    ),
    Measure(
        "protocols_sources",
        "Protocols compared by data set",
        "The same difference by the data set that questions are from.",
        f"{DR}, Table 2",
        f"{TWO}, {SETS}",
        lambda study: of_several(study, differences.protocols(study, ["source"])),
    ),
    Measure(
        "protocols_sweep",
        "Protocols compared, by judge",
        "For each judge the unweighted mean over data sets (n) of these differences; its interval draws"
        " cases jointly over all of them.",
        f"{DR}, Figure 4",
        f"{TWO}, {SETS}",
        lambda study: of_several(study, pooled.sweep(study)),
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
        "ablations",
        "Ablations",
        "The accuracy with other parameters, steering or transformers less that of the plain form of the"
        " same protocol, paired by case and repetition.",
        f"{DR}, Table 7 and Figure 6",
        "judgments of a protocol in its plain form and another",
        lambda study: differences.ablations(study),
    ),
)
