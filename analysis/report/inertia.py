"""The section on inertia and conformity: what the multinomial model of verdicts says of a run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from analysis.model.estimators import ESTIMATORS
from analysis.model.predictive import DRAWS, ENDS
from analysis.model.study import Study
from analysis.report import inertia_checks as checks
from analysis.report import inertia_tables as tables
from analysis.report.document import Exhibit, Section
from analysis.report.inertia_figures import by_estimator, by_model, by_protocol

NAME, TITLE = "inertia", "Inertia and conformity"

MODEL = (
    "A multinomial model of every verdict (Eq. 2 of the paper): its odds are multiplied by exp(alpha) where"
    " it is the seat's own of the round before (inertia), by exp(gamma_prev) for each other seat that gave it"
    " in the round before, and by exp(gamma_within) for each that gave it earlier in the same round"
    " (conformity). What each model prefers (theta) and what each case calls for (phi) is taken out."
)

PAPER = "Source: arXiv 2510.10002, Eq. 2 and Table 1."
REVIEW = "Source: a review of arXiv 2510.10002."

GRAVE = ("Not converged", "Separation")
"""How diagnostics begin after which a number is not to be used."""

ENOUGH_CASES = 200
"""From which on tests by errors clustered by case keep about to their level, for agents like the paper's."""


def inertia(found: Study | str) -> Section:
    """The section of a run; of one that cannot be fitted, why, in a sentence."""
    if isinstance(found, str):
        lacks = f"Nothing can be fitted: {found}."
        return Section(NAME, TITLE, [], [Exhibit("Odds ratios", [MODEL], PAPER, absent=lacks)])
    parts = (
        *(_slopes, _support, _estimators, _needed, _protocols),
        *(_leanings, _predictive, _calibration, _diagnostics),
    )
    exhibits = [replace(one, text=[*map(_plain, one.text)]) for one in (part(found) for part in parts)]
    return Section(NAME, TITLE, [*map(_plain, found.notes), *_not_to_be_used(found)], exhibits)


def _plain(said: str) -> str:
    """A sentence without the marks around names of estimators."""
    return said.replace("`", "")


def _not_to_be_used(found: Study) -> list[str]:
    """What of the diagnostics stands before everything else."""
    return [_plain(said) for said in found.main.diagnostics if said.startswith(GRAVE)]


def _slopes(found: Study) -> Exhibit:
    main = found.main
    return Exhibit(
        "Odds ratios",
        [
            MODEL,
            f"Estimated by `{main.estimator}`: {ESTIMATORS[main.estimator].words}. Counted:"
            f" {main.convention}.",
        ],
        PAPER,
        figures=[by_model(main)],
        tables=[tables.slopes(main)],
    )


def _support(found: Study) -> Exhibit:
    text = [
        "A slope rests on the verdicts that follow what was said before, and on those that do not: where"
        " there are hardly any of one kind, it is hardly known."
    ]
    return Exhibit("What the slopes rest on", text, tables=[tables.support(found.support)])


def _estimators(found: Study) -> Exhibit:
    text = [
        "The same slopes under other assumptions. Where estimators differ by more than their intervals, some"
        " assumption does not hold. `paper` also counts as the paper does, which moves what gamma_prev means."
    ]
    return Exhibit(
        "Estimators side by side",
        text,
        REVIEW,
        figures=[by_estimator(found.fits)],
        tables=[tables.estimators(found.fits), tables.assumptions(found.fits)],
    )


def _needed(found: Study) -> Exhibit:
    text = [
        "Wald tests with errors clustered by case, that all slopes which a smaller model leaves out are 0.",
    ]
    return Exhibit("Is each part needed?", text, REVIEW, tables=[checks.needed(found.tests)])


def _protocols(found: Study) -> Exhibit:
    title = "Slopes by protocol"
    text = ["Slopes told apart by protocol in one fit, in which cases keep one phi."]
    source = REVIEW
    if found.protocols is None:
        return Exhibit(title, text, source, absent="All debates are of one protocol.")
    said = f"Test of interaction (Wald, clustered by case): {found.protocols.interaction}.{_rough(found)}"
    fit = found.protocols.fit
    return Exhibit(title, [*text, said], source, figures=[by_protocol(fit)], tables=[tables.by_protocol(fit)])


def _leanings(found: Study) -> Exhibit:
    title = "Do models lean to verdicts of their own on a case?"
    text = [
        "If a model has an opinion of its own on a case, it gives it again whether or not it gave it before:"
        " every estimator but `pairwise_same_model` takes that for inertia, and for less conformity."
    ]
    tested = {
        "likelihood ratio, with a leaning of each model": found.leanings,
        "pairs of one model against all pairs": found.pairs,
    }
    known = {name: test for name, test in tested.items() if test is not None}
    if not known:
        return Exhibit(title, text, REVIEW, absent="There is one model only.")
    trusted = [found.leanings, *([] if _rough(found) else [found.pairs])]
    rejects = any(test.p < 0.05 for test in trusted if test is not None)
    told = (
        "A test rejects: read `pairwise_same_model` first."
        if rejects
        else "Neither a leaning is seen here, nor is it shown that there is none."
    )
    said = f"{told}{_rough(found, ' of pairs')}"
    return Exhibit(title, [*text, said], REVIEW, tables=[checks.tests("inertia-leanings", known)])


def _rough(found: Study, which: str = "") -> str:
    """What to think of a test by errors clustered by case, where there are few; else ""."""
    cases = len(np.unique(found.main.rows.case))
    if cases >= ENOUGH_CASES:
        return ""
    return (
        f" With {cases:,} cases the test{which} is rough: with fewer than {ENOUGH_CASES} it rejects too often"
        " what is true, so a small p says little."
    )


def _predictive(found: Study) -> Exhibit:
    told, title = found.predictive, "Would the model play these debates?"
    played = (
        f"The same conditions on the same cases, played again by the fit {DRAWS} times: a model may describe"
        " each verdict well and yet play other debates than were had."
    )
    if isinstance(told, str):
        return Exhibit(title, [played], REVIEW, absent=f"Nothing can be played: {told}.")
    outside = (told["observed"] < told["low"]) | (told["observed"] > told["high"])
    chance = 2 * (1 + ENDS[0] * (DRAWS - 1)) / (DRAWS + 1) * len(told)
    text = [
        played,
        f"{int(outside.sum())} of {len(told)} shares lie outside 95% of these plays (marked ×); of so few"
        f" plays chance alone would put about {chance:.0f} there.",
    ]
    return Exhibit(title, text, REVIEW, tables=[checks.predictive(told)])


def _calibration(found: Study) -> Exhibit:
    text = ["What the fit holds likely, beside what was said, with phi of each case at its mode."]
    return Exhibit(
        "Calibration",
        text,
        REVIEW,
        tables=[checks.deciles(found.deciles), checks.rounds(found.rounds)],
    )


def _diagnostics(found: Study) -> Exhibit:
    return Exhibit(
        "Diagnostics",
        [*_sizes(found), *(said for said in found.main.diagnostics)] or ["Nothing to report."],
        tables=[checks.fits(found.fits)],
    )


def _sizes(found: Study) -> Iterator[str]:
    estimate = found.main.estimate
    yield (
        f"`{found.main.estimator}` {'converged' if estimate.converged else 'did not converge'} in"
        f" {estimate.steps} steps; the condition number of its information is"
        f" {estimate.inverse.condition:.3g}."
    )
