"""One draw of a study of one size, with what would be found in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.model.features import rows_of
from analysis.model.fit import Fit, fit
from analysis.model.plan import Condition, plan
from analysis.model.population import Population
from analysis.model.rows import TERMS, Floats
from analysis.model.simulate import turns_of
from analysis.power.rates import contrasts, half_widths
from analysis.power.size import Size

SLOPE, DIFFERENCE = "slope", "difference"
"""Kinds of parameters: the slope of a term for a model, and its difference between two models."""


@dataclass(frozen=True, slots=True)
class Study:
    """What is drawn: debates of `conditions` among the agents of `population`, fitted by `estimator`."""

    conditions: tuple[Condition, ...]
    population: Population
    estimator: str
    seed: int

    @property
    def models(self) -> tuple[str, ...]:
        """The models that sit in any debate, in the order of the population."""
        seated = {model for condition in self.conditions for model in condition.order}
        return tuple(model for model in self.population.models if model in seated)


@dataclass(frozen=True, slots=True)
class Trial:
    """What was found in one draw.

    `found` has a row for each parameter that the design may identify: kind, term, model, other (the model it
    is compared with, else ""), truth, coef, se, null where the verdicts of this draw do not tell. `rates` are
    half-widths, one for each of `rates.contrasts`.
    """

    size: Size
    number: int
    verdicts: int
    converged: bool
    found: pd.DataFrame
    rates: Floats


def trial(study: Study, size: Size, number: int) -> Trial:
    """Draw `number` of a size: the same numbers wherever and in whatever order it is made."""
    drawn = plan(study.conditions, size.dilemmas, size.repetitions)
    verdicts = study.population.draw(drawn, [study.seed, size.dilemmas, size.repetitions, number])
    fitted = fit(rows_of(turns_of(drawn, verdicts)), study.estimator)
    return Trial(
        size=size,
        number=number,
        verdicts=int((verdicts >= 0).sum()),
        converged=fitted.estimate.converged,
        found=_found(study, fitted),
        rates=half_widths(contrasts(study.conditions), verdicts, size),
    )


def _found(study: Study, fitted: Fit) -> pd.DataFrame:
    known = fitted.slopes
    rows: list[tuple[str, str, str, str, float, float, float]] = []
    for kind, term, models in _parameters(study.models):
        weights = np.zeros(len(fitted.names))
        truth = 0.0
        for model, sign in zip(models, (1.0, -1.0), strict=False):
            weights[fitted.names.index(f"{term}[{model}]")] = sign
            truth += sign * study.population.slopes[TERMS.index(term), study.population.models.index(model)]
        told = bool(known[weights != 0].all())
        coef = float(weights @ fitted.estimate.beta) if told else np.nan
        se = float(np.sqrt(weights @ fitted.covariance @ weights)) if told else np.nan
        rows.append((kind, term, models[0], "".join(models[1:]), truth, coef, se))
    return pd.DataFrame(rows, columns=["kind", "term", "model", "other", "truth", "coef", "se"])


def _parameters(models: Sequence[str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Kind, term and model or models of every parameter."""
    slopes = [(SLOPE, term, (model,)) for term in TERMS for model in models]
    return slopes + [(DIFFERENCE, term, pair) for term in TERMS for pair in combinations(models, 2)]
