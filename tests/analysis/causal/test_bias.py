"""Where all that is said in a debate leans one way, Eq. 2 is biased and the designed arms are not.

What is true: inertia is the slope that conversations were drawn with, for a leaning that lasts through a
conversation is not inertia. Conformity is the mean effect of what is heard on the very verdicts of the arm,
by their true probabilities.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.causal.expected import expected
from analysis.causal.log_odds import planted_rows, reasked_rows
from analysis.causal.planted import conformity
from analysis.causal.simulate import debates, draw
from analysis.causal.within import within
from analysis.model.fit import fit
from analysis.model.truth import PAPER_TRUTH

pytestmark = pytest.mark.long

CASES, REPETITIONS, ASKINGS, DRAWS = 100, 5, 6, 6
SHOCKED = replace(PAPER_TRUTH, debate_sd=1.0)


def one(seed: int) -> list[tuple[str, float, float, float, float]]:
    """Estimates of one draw for each model: what it is, the truth, the estimate and its interval."""
    phi = np.random.default_rng([seed, 0]).normal(0, SHOCKED.case_sd, (CASES, 5))
    seen = fit(debates(SHOCKED, phi, 1, [seed, 1]), "re")
    arms = draw(SHOCKED, phi, REPETITIONS, ASKINGS, True, [seed, 2])
    again = fit(reasked_rows(arms.reasked), "re", terms=("alpha",))
    found = []
    for number, model in enumerate(SHOCKED.models):
        alpha = float(SHOCKED.slopes[0, number])
        alone = within(arms.reasked.of(number))
        reach = 1.96 * alone.se
        found.append(("arm alpha", alpha, alone.alpha, alone.alpha - reach, alone.alpha + reach))
        for name, by in (("debates alpha", seen), ("reask alpha", again)):
            row = by.table().loc[f"alpha[{model}]"]
            found.append((name, alpha, row["coef"], row["low"], row["high"]))
        own = arms.planted.where(arms.planted.model == number)
        told, effect = conformity(own).shares, float(arms.effect[number])
        found.append(("arm conformity", effect, told.estimate[2], told.low[2], told.high[2]))
        found.append(("debates conformity", effect, *expected(seen, own, "gamma_within")))
        gamma = float(SHOCKED.slopes[2, number])
        row = seen.table().loc[f"gamma_within[{model}]"]
        found.append(("debates gamma", gamma, row["coef"], row["low"], row["high"]))
    return found


@pytest.fixture(scope="module")
def errors() -> pd.DataFrame:
    """Mean error in its own Monte-Carlo errors, and coverage, by what it is."""
    rows = [row for seed in range(1, DRAWS + 1) for row in one(seed)]
    told = pd.DataFrame(rows, columns=["name", "truth", "estimate", "low", "high"])
    told["error"] = told["estimate"] - told["truth"]
    told["covered"] = told["truth"].between(told["low"], told["high"])
    groups = told.groupby("name")
    off = groups["error"].mean() / groups["error"].sem()
    return pd.DataFrame({"bias": groups["error"].mean(), "off": off, "covered": groups["covered"].mean()})


@pytest.mark.parametrize(
    ("name", "bias", "covered"),
    [
        ("debates alpha", 0.1, 0.8),
        ("reask alpha", 0.3, 0.05),
        ("debates gamma", 0.1, 0.8),
        ("debates conformity", 0.03, 0.1),
    ],
)
def test_what_eq2_finds_is_beyond_its_intervals(
    errors: pd.DataFrame, name: str, bias: float, covered: float
) -> None:
    """Too much, by far more than chance, with intervals that leave the truth out."""
    row = errors.loc[name]
    assert row["bias"] > bias
    assert row["off"] > 4
    assert row["covered"] <= covered


@pytest.mark.parametrize(("name", "bias"), [("arm alpha", 0.1), ("arm conformity", 0.01)])
def test_what_the_arms_find_is_not(errors: pd.DataFrame, name: str, bias: float) -> None:
    row = errors.loc[name]
    assert abs(row["bias"]) < bias
    assert abs(row["off"]) < 3
    assert row["covered"] >= 0.85


def test_log_odds_of_the_planted_arm_average_over_debates() -> None:
    """Not confounded either way; but where debates lean, nearer to 0 than within a debate."""
    found = {}
    for sd in (0.0, 1.0):
        truth = replace(PAPER_TRUTH, debate_sd=sd)
        phi = np.random.default_rng(3).normal(0, truth.case_sd, (CASES, 5))
        arm = draw(truth, phi, 12, 1, True, 4).planted
        table = fit(planted_rows(arm), "re", terms=("gamma_within",)).table()
        found[sd] = table.loc[[f"gamma_within[{model}]" for model in truth.models]]
    true = PAPER_TRUTH.slopes[2]
    assert (np.abs(found[0.0]["coef"] - true) < 3 * found[0.0]["se"]).all()
    assert (found[1.0]["coef"] < true).all()
    assert (found[1.0]["coef"] > 0.4 * true).all()
