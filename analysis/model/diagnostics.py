"""What the reader of a fit must know of it, in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.model.design import Design
from analysis.model.estimate import Estimate
from analysis.model.likelihood import scatter
from analysis.model.rows import Floats, Rows

FEW_VERDICTS = 20
"""Verdicts for each case below which slopes of most estimators are biased."""

FEW_CASES = 40
"""Cases below which errors clustered by case are too small."""

ILL_CONDITIONED = 1e4
LARGE, UNSURE = 8.0, 3.0
"""A slope beyond, or with an error beyond, which the verdicts separate."""

ALIKE = 0.7
"""A correlation of estimates beyond which two slopes can hardly be told apart."""


def diagnose(estimator: str, estimate: Estimate, covariance: Floats) -> Iterator[str]:
    """Sentences on convergence, size, identification and separation; what is as it should be is not told."""
    yield from _convergence(estimate)
    yield from _spread(estimate)
    yield from _size(estimator, estimate.design.rows)
    yield from _identification(estimate)
    yield from _separation(estimate, covariance)
    yield from _correlation(estimate.design, covariance)
    yield from _cells(estimate.design.rows)


def _convergence(estimate: Estimate) -> Iterator[str]:
    if not estimate.converged:
        yield (
            f"Not converged after {estimate.steps} steps: a further step promises to gain"
            f" {estimate.decrement / 2:.2g} in log-likelihood. Do not use these estimates."
        )


def _spread(estimate: Estimate) -> Iterator[str]:
    spread = None if estimate.cases is None else estimate.cases.spread
    if spread is not None and spread.at_border:
        yield (
            "The spread of phi over cases is at the border of what is allowed: the verdicts of some label are"
            " too few to learn how it varies. Compare with `pairwise`, which needs no spread."
        )


def _size(estimator: str, rows: Rows) -> Iterator[str]:
    cases = len(np.unique(rows.case))
    each = len(rows) / cases
    if each < FEW_VERDICTS:
        advice = {
            "re": "its normal phi weighs in much; put `pairwise` first",
            "jackknife": "its correction is rough; put `pairwise` first",
            "pairwise": "its intervals are wide",
            "pairwise_same_model": "its intervals are wide",
        }.get(estimator, "slopes are biased, by as much as 0.3 to 0.6; put `pairwise` first")
        yield f"{each:.1f} verdicts for each case, fewer than {FEW_VERDICTS}: {advice}."
    if cases < FEW_CASES:
        yield f"{cases} cases, fewer than {FEW_CASES}: errors clustered by case come out too small."


def _identification(estimate: Estimate) -> Iterator[str]:
    design, inverse = estimate.design, estimate.inverse
    slopes = np.arange(design.n_parameters) >= design.n_theta
    lost = np.flatnonzero(slopes & estimate.free & ~inverse.identified)
    names = design.names()
    if len(lost):
        yield (
            f"Not identified: {', '.join(names[place] for place in lost)}. Either nothing of the kind was"
            " heard (only speakers in turn hear others of the same round, and only a round-1 disagreement has"
            " a second round), or it always came together with something else."
        )
    if inverse.condition > ILL_CONDITIONED:
        yield (
            f"Ill-conditioned: the information on the parameters has condition number {inverse.condition:.1g}"
            f" (smallest eigenvalue {inverse.smallest:.1g}): some combination of parameters, often theta of a"
            " label that is hardly given, is all but unknown."
        )


def _separation(estimate: Estimate, covariance: Floats) -> Iterator[str]:
    design = estimate.design
    names, errors = design.names(), np.sqrt(np.diag(covariance))
    if estimate.pairs is None:
        errors = np.maximum(errors, np.sqrt(np.diag(estimate.inverse.matrix)))
    for place in range(design.n_theta, design.n_parameters):
        if not estimate.inverse.identified[place]:
            continue
        told = f"{names[place]} is {estimate.beta[place]:.1f} with standard error {errors[place]:.1f}"
        if abs(estimate.beta[place]) > LARGE:
            yield (
                f"Separation: {told}. Nearly every verdict follows it (or none does), so the likelihood has"
                " no finite maximum; the number is where the search stopped, and only its sign means"
                " anything."
            )
        elif errors[place] > UNSURE:
            yield f"Separation: {told}. Verdicts say nothing of it: another slope explains them."


def _correlation(design: Design, covariance: Floats) -> Iterator[str]:
    names, errors = design.names(), np.sqrt(np.diag(covariance))
    groups = len(design.groups)
    for one in range(design.n_theta, design.n_parameters):
        for other in range(one + groups, design.n_parameters, groups):
            if errors[one] > 0 and errors[other] > 0:
                r = covariance[one, other] / (errors[one] * errors[other])
                if abs(r) > ALIKE:
                    yield (
                        f"Weakly identified: {names[one]} and {names[other]} can hardly be told apart"
                        f" (correlation of the estimates {r:.2f})."
                    )


def _cells(rows: Rows) -> Iterator[str]:
    counts = scatter((len(rows.cases), len(rows.labels)), (rows.case, rows.y), np.ones(len(rows)))
    counts = counts[counts.sum(axis=1) > 0]
    empty, alone = int((counts == 0).sum()), int(((counts > 0).sum(axis=1) == 1).sum())
    if empty:
        yield (
            f"{empty:,} of {counts.size:,} cells of case and label are empty; {alone:,} of {len(counts):,}"
            " cases have one label only and say nothing of the slopes where phi is free."
        )
    never = scatter((len(rows.models), len(rows.labels)), (rows.model, rows.y), np.ones(len(rows))) == 0
    for model, label in np.argwhere(never):
        yield f"{rows.models[model]} never gives {rows.labels[label]}: it is left out of its choices."
