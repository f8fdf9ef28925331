"""The designed arms of a run beside Eq. 2's estimates from its debates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.causal.arms import Planted, ReAsked
from analysis.causal.expected import expected
from analysis.causal.kept import kept
from analysis.causal.lines import Line, frame, line, of_fit, of_shares
from analysis.causal.log_odds import planted_rows, reasked_rows
from analysis.causal.planted import conformity
from analysis.causal.reading import Arms
from analysis.causal.within import within
from analysis.model.fit import Fit, fit
from analysis.model.rows import Rows

ALPHA = "alpha"
NAIVE = ("re", "pairwise_same_model")
"""The estimators of Eq. 2 whose slopes from debates stand beside those of the arms."""


@dataclass(frozen=True, slots=True)
class Causal:
    """What the arms of a run say. `table` has the columns of `lines.COLUMNS`; `notes` what was left out."""

    table: pd.DataFrame
    notes: Sequence[str]

    def summary(self) -> str:
        """The table as text, with what each line says and assumes."""
        from analysis.causal.page import written  # rich is not needed for the estimates

        return written(self)


def causal(arms: Arms, debates: Mapping[str, Fit] | None = None) -> Causal:
    """The estimates of the arms, and beside them those of fits of Eq. 2 to debates, by names of `NAIVE`."""
    beside = debates or {}
    lines: list[Line] = []
    if arms.reasked is not None:
        lines += _inertia(arms.reasked, beside)
    if arms.planted is not None:
        lines += _conformity(arms.planted, beside)
    return Causal(frame(lines), arms.notes)


def _inertia(arm: ReAsked, beside: Mapping[str, Fit]) -> Iterator[Line]:
    """Staying with one's verdict when nobody is heard, model by model."""
    again = _fitted(reasked_rows(arm), (ALPHA,))
    for number, model in enumerate(arm.models):
        own = arm.of(number)
        lost: Line = {"unreadable": arm.unreadable.get(model, 0), "failed": arm.failed.get(model, 0)}
        yield from of_shares(("kept", "kept_elsewhere", "kept_more"), ALPHA, model, kept(own), **lost)
        found = within(own)
        rests: Line = {"denominator": found.informative, "cases": found.cases, "reason": found.reason}
        yield line("alpha_within", ALPHA, model, found.alpha, se=found.se, **rests, **lost)
        yield from _slopes(ALPHA, model, {"alpha_reask": again}, **lost)
        yield from _slopes(ALPHA, model, _named("alpha_debates", beside))
        if again is not None and "re" in beside:
            yield from _less(beside["re"], again, model)


def _conformity(arm: Planted, beside: Mapping[str, Fit]) -> Iterator[Line]:
    """Giving a verdict because it was heard, by what was heard when, model by model."""
    for within_round in sorted(set(arm.within.tolist()), reverse=True):
        term = "gamma_within" if within_round else "gamma_prev"
        of_term = arm.where(arm.within == within_round)
        found = _fitted(planted_rows(of_term), (term,) if within_round else (ALPHA, term))
        for number, model in enumerate(arm.models):
            own = of_term.where(of_term.model == number)
            if not len(own.said):
                continue
            lost: Line = {"unreadable": int((~own.readable).sum()), "failed": arm.failed.get(model, 0)}
            for heard in np.unique(own.heard):
                yield from _shares(own.where(own.heard == heard), term, model, beside, int(heard), lost)
            yield from _slopes(term, model, {"gamma_planted": found}, **lost)
            yield from _slopes(term, model, _named("gamma_debates", beside))


def _shares(
    own: Planted, term: str, model: str, beside: Mapping[str, Fit], heard: int, lost: Mapping[str, Any]
) -> Iterator[Line]:
    """The differences of shares after so many confederates were heard, and what Eq. 2 expects of them."""
    told = conformity(own)
    names = ("follows", "follows_other", "conformity")
    yield from of_shares(names, term, model, told.shares, told.p, heard=heard, **lost)
    if "re" in beside:
        estimate, low, high = expected(beside["re"], own, term)
        reason = "" if np.isfinite(estimate) else "debates do not tell the slope of this model on these cases"
        yield line("conformity_eq2", term, model, estimate, ends=(low, high), heard=heard, reason=reason)


def _fitted(rows: Rows, terms: tuple[str, ...]) -> Fit | None:
    """Eq. 2 with these terms by `re`; none where there is nothing to fit."""
    if len(np.unique(rows.case)) < 2 or len(np.unique(rows.y)) < 2:
        return None
    return fit(rows, "re", terms=terms)


def _named(first: str, beside: Mapping[str, Fit]) -> dict[str, Fit | None]:
    """The fits of `NAIVE` by the names of their quantities."""
    names = {"re": first, "pairwise_same_model": f"{first}_same_model"}
    return {names[one]: found for one, found in beside.items() if one in names}


def _slopes(term: str, model: str, fits: Mapping[str, Fit | None], **lost: Any) -> Iterator[Line]:
    found = [of_fit(name, term, model, one, **lost) for name, one in fits.items() if one is not None]
    yield from (one for one in found if one is not None)


def _less(debates: Fit, again: Fit, model: str) -> Iterator[Line]:
    """Inertia in debates less that of seats asked again, by joint influence over the cases of both."""
    name = f"{ALPHA}[{model}]"
    fits = (debates, again)
    if any(name not in one.names or not one.slopes[one.names.index(name)] for one in fits):
        return
    moved: dict[str, float] = {}
    for one, sign in zip(fits, (1.0, -1.0), strict=True):
        place = one.names.index(name)
        for case, by in zip(one.rows.cases, one.estimate.influence[:, place], strict=True):
            moved[case] = moved.get(case, 0.0) + sign * float(by)
    by_case = np.array(list(moved.values()))
    se = float(np.sqrt((by_case**2).sum() * len(by_case) / max(len(by_case) - 1, 1)))
    first, second = (float(one.estimate.beta[one.names.index(name)]) for one in fits)
    yield line("alpha_difference", ALPHA, model, first - second, se=se, cases=len(by_case))
