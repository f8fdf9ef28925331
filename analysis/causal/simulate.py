"""Arms drawn from Eq. 2, to try estimators on: the agents are those of `model.truth`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.causal.arms import NONE, Planted, ReAsked
from analysis.model.plan import full_design, plan
from analysis.model.rows import Floats, Ints
from analysis.model.simulate import chances, play, turns_of
from analysis.model.truth import Truth
from protocols.answer_format import VERDICTS


@dataclass(frozen=True, slots=True)
class Drawn:
    """Both arms, and what hearing the planted verdict does to each model, by true probabilities."""

    reasked: ReAsked
    planted: Planted
    effect: Floats


def draw(
    truth: Truth, phi: Floats, repetitions: int, askings: int, within: bool, seed: int | Sequence[int]
) -> Drawn:
    """Arms on cases with these `phi`, cases by labels; each model on each so often in either arm.

    A planted verdict is heard in round 1 (`within`), or after a verdict of one's own. Each debate and
    conversation has its own normal leaning, of standard deviation `truth.debate_sd`.
    """
    dice = np.random.default_rng(seed)
    models, width = len(truth.models), phi.shape[1]
    case = np.repeat(np.arange(len(phi)), models * repetitions)
    model = np.tile(np.repeat(np.arange(models), repetitions), len(phi))
    lean = truth.theta()[model] + phi[case]
    alpha, gamma = truth.slopes[0][model], truth.slopes[2 if within else 1][model]
    cases = tuple(f"case {one:05}" for one in range(len(phi)))
    names = (VERDICTS, cases, truth.models)

    def shocked() -> Floats:
        shocked: Floats = lean + dice.normal(0, truth.debate_sd, lean.shape)
        return shocked

    eta, said = shocked(), np.empty((len(case), askings), np.int64)
    for place in range(askings):
        own = alpha[:, None] * (said[:, place - 1, None] == np.arange(width)) if place else 0
        said[:, place] = _choose(eta + own, dice)
    again = ReAsked(said, case, model, np.arange(len(case)), *names)

    eta, label = shocked(), dice.integers(0, width, len(case))
    before = np.full(len(case), NONE)
    if not within:
        before = _choose(eta, dice)
        eta = eta + alpha[:, None] * (before[:, None] == np.arange(width))
    heard = eta + gamma[:, None] * (label[:, None] == np.arange(width))
    one = np.ones(len(case), np.int64)
    drawn = Planted(
        _choose(heard, dice), label, before, case, model, np.arange(len(case)), one, one == within, *names
    )
    effects = _effect(eta, gamma)
    return Drawn(again, drawn, np.array([effects[model == m].mean() for m in range(models)]))


def _choose(eta: Floats, dice: np.random.Generator) -> Ints:
    """A label for each row, with odds exp(eta)."""
    chosen: Ints = (eta + dice.gumbel(size=eta.shape)).argmax(axis=1)
    return chosen


def _effect(eta: Floats, gamma: Floats) -> Floats:
    """For each row the mean over labels of P(v | v heard) - P(v | another heard)."""
    width = eta.shape[1]
    odds = np.exp(eta[:, None] + gamma[:, None, None] * np.eye(width))
    chance = odds / odds.sum(axis=2, keepdims=True)
    hit = np.trace(chance, axis1=1, axis2=2)
    effect: Floats = hit / width - (width - hit) / (width * (width - 1))
    return effect


def debates(truth: Truth, phi: Floats, repetitions: int, seed: int | Sequence[int]) -> pd.DataFrame:
    """The turns of the full design (`plan.full_design`) on these cases, each debate with its own leaning."""
    dice = np.random.default_rng(seed)
    drawn = plan(full_design(truth.models), len(phi), repetitions)
    order = [truth.models.index(model) for model in drawn.models]
    lean = truth.theta()[order][drawn.model] + phi[drawn.case][:, None]
    lean += dice.normal(0, truth.debate_sd, (len(drawn.case), 1, phi.shape[1]))
    slopes = truth.slopes[:, order][:, drawn.model]
    return turns_of(drawn, play(drawn, lean, slopes, chances(drawn, dice)))
