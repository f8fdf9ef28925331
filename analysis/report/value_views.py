"""What is said of the measures of values and of labels, and how they are shown."""

from __future__ import annotations

from analysis.report.exhibits import About
from analysis.report.units import CHANGE, INDEX, PERCENT, POINTS
from analysis.report.view import View
from analysis.report.views import LINES

IP = "arXiv 2510.10002"
NO_LABELS = "There are no labels. Run: moot label RUN --judge MODEL"
FIRST = "Where there are several labellings, the first is drawn."
USUAL = "Of steerings the default is drawn."
JACCARD = {"kind": ("jaccard",)}

VALUES: dict[str, tuple[About, View]] = {
    "use": (
        About(
            "values-use",
            "Use of values",
            "The share of a model's labelled messages, of all rounds, in which a value is named; a message"
            " with no value stays in the denominator.",
            f"{IP}, Figure 4a to c",
            NO_LABELS,
        ),
        View(
            usual=True,
            ranked="value",
            most=6,
            caption=f"The six values named most by each, in percent of messages. {USUAL} {LINES} {FIRST}",
            unit=PERCENT,
        ),
    ),
    "differences": (
        About(
            "values-differences",
            "Value occurrence differences",
            "The share of a model's labelled messages that name a value less that share of another model of"
            " the same panel.",
            f"{IP}, Figure 4a to c",
            NO_LABELS,
        ),
        View(
            usual=True,
            ranked="value",
            headed="difference",
            caption=f"The twelve largest differences, in points. {USUAL} {LINES} {FIRST}",
            unit=POINTS,
        ),
    ),
    "verdicts": (
        About(
            "values-by-verdict",
            "Use of values by verdict",
            "The share of a model's labelled messages with a verdict in which a value is named.",
            f"not in the paper; after {IP}, Figure 4",
            NO_LABELS,
        ),
        View("none", ranked="value", most=3, unit=PERCENT),
    ),
    "similarity": (
        About(
            "values-similarity",
            "Value similarity within agreement and disagreement",
            "Mean Jaccard index (shared values by all values) of the values of two seats in a round, where"
            " their verdicts agree and where they differ; the soft variant also counts half a point for"
            " each pair of further values of one group.",
            f"{IP}, Figures 5a and 6",
            NO_LABELS,
        ),
        View(
            across="within",
            columns="within",
            drawn=JACCARD,
            caption=f"Mean Jaccard index where verdicts differ and where they agree. {LINES} {FIRST}",
            unit=INDEX,
        ),
    ),
    "similarity_difference": (
        About(
            "values-similarity-difference",
            "Value similarity: agreement less disagreement",
            "Mean similarity in rounds in which two seats agree less that in rounds in which they differ.",
            f"{IP}, Figure 5a",
            NO_LABELS,
        ),
        View(drawn=JACCARD, caption=f"Difference of mean Jaccard indices. {LINES} {FIRST}", unit=CHANGE),
    ),
    "ends": (
        About(
            "values-ends",
            "Value similarity in the first and in the last round",
            "Mean similarity of the values of two seats in the first and in the last round of debates that"
            " disagreed in round 1, apart by whether they reached consensus.",
            f"{IP}, Figures 5b and 7",
            NO_LABELS,
        ),
        View(
            across="round",
            columns="round",
            drawn=JACCARD,
            caption=f"Mean Jaccard index in the first and in the last round. {LINES} {FIRST}",
            unit=INDEX,
        ),
    ),
    "change": (
        About(
            "values-change",
            "Value similarity: last round less first",
            "Mean similarity in the last round less that in the first, of the same debates.",
            f"{IP}, Figures 5b and 7",
            NO_LABELS,
        ),
        View(drawn=JACCARD, caption=f"Change of the mean Jaccard index. {LINES} {FIRST}", unit=CHANGE),
    ),
    "inheritance": (
        About(
            "values-inheritance",
            "Inherited values",
            "Of the seats that changed (or kept) their verdict, the share that then named a value which an"
            " opponent had named in round 1 and they had not; tested by permuting opponents across cases.",
            f"{IP}, Figure 4d to f",
            NO_LABELS,
        ),
        View(
            usual=True,
            ranked="value",
            drawn={"seats": ("changed",)},
            caption=f"The values inherited most, in percent of changes of verdict. {USUAL} {LINES} {FIRST}",
            unit=PERCENT,
        ),
    ),
    "inheritance_difference": (
        About(
            "values-inheritance-difference",
            "Inherited values: changed less kept",
            "The rate of inheritance of seats that changed their verdict less that of seats that kept it.",
            f"not in the paper; after {IP}, Figure 4d to f",
            NO_LABELS,
        ),
        View(
            usual=True,
            ranked="value",
            caption=f"The twelve largest differences, in points. {USUAL} {LINES} {FIRST}",
            unit=POINTS,
        ),
    ),
    "steering": (
        About(
            "values-steering",
            "Steering and values",
            "The share of a model's messages that name a value under one steering less that under another,"
            " paired by case.",
            f"{IP}, Tables 2 and 3",
            "Labels (moot label RUN --judge MODEL) of a panel that was played under two steerings.",
        ),
        View(
            ranked="value",
            most=6,
            caption=f"The six largest differences, in points. {LINES} {FIRST}",
            unit=POINTS,
        ),
    ),
}
"""By the field of `values.measure.ValueMeasures`."""

AGREEMENT = (
    About(
        "labels-agreement",
        "Agreement of judges",
        "How alike the labels of one judge (in two passes, or under two names), of two judges, or of a judge"
        " and a person are: the share of equal sets, the mean Jaccard index, Cohen's kappa over values,"
        " Krippendorff's alpha with the distances of Jaccard and of MASI. Macro kappa is the mean over the"
        " values that have one; a value that only one of the two names counts in it as 0; the CSV file tells"
        " how many do.",
        f"a review of {IP}; {IP}, appendix on the value judge",
        "There are no two labellings of the same turns. Run: moot label RUN --judge MODEL --passes 2",
    ),
    View(
        across="pair",
        headed="kind",
        columns="statistic",
        caption=f"Agreement between labellings by statistic, a mark for each pair. {LINES}",
        unit=INDEX,
    ),
)

KAPPAS = (
    About(
        "labels-kappas",
        "Kappa of each value",
        "Cohen's kappa of whether a value is named, over the turns that two labellings share.",
        f"a review of {IP}",
        AGREEMENT[0].needs,
    ),
    View(
        across="pair",
        headed="kind",
        ranked="value",
        most=48,
        counts=("both", "first", "second", "neither"),
        caption=f"Cohen's kappa by value, a mark for each pair of labellings. {LINES}",
        unit=INDEX,
    ),
)
