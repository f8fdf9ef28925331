"""How far Eq. 2 and the designed arms are from the truth, where all that is said in a debate leans one way.

Debates of the published design and both arms on the same cases, drawn from known parameters with a leaning
of each debate, and of each conversation of a seat that is asked again. For each estimate its mean error over
draws, and how many of the 95% intervals hold the truth: of log-odds the slope that was simulated; of shares
the difference that hearing a verdict makes to giving it, by the true probabilities.

Figures are written to standard output:  python -m benchmarks.causal
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd

from analysis.causal.reading import Arms
from analysis.causal.simulate import debates, draw
from analysis.causal.study import NAIVE, causal
from analysis.causal.within import within
from analysis.model.fit import fit
from analysis.model.truth import PAPER_TRUTH, Truth

CASES, REPETITIONS, ASKINGS, DRAWS = 200, 5, 6, 12
LEANINGS = (0.0, 1.0)
SLOPES = {"alpha": 0, "gamma_prev": 1, "gamma_within": 2}
OFTEN = (4, 6, 10)
MARGINAL = 40
"""Repetitions of the large arm that shows what log-odds of the planted arm tend to."""


def measured(sd: float, seed: int) -> pd.DataFrame:
    """The estimates of one draw, with the slope that was simulated and the true effect of what was heard."""
    truth = replace(PAPER_TRUTH, debate_sd=sd)
    phi = np.random.default_rng([seed, 0]).normal(0, truth.case_sd, (CASES, 5))
    turns = debates(truth, phi, 1, [seed, 1])
    fits = {name: fit(turns, name) for name in NAIVE}
    parts = []
    for heard_now in (True, False):
        arms = draw(truth, phi, REPETITIONS, ASKINGS, heard_now, [seed, 2 + heard_now])
        found = causal(Arms(arms.reasked if heard_now else None, arms.planted, ()), fits).table
        effect = dict(zip(truth.models, arms.effect, strict=True))
        slope = [
            truth.slopes[SLOPES[t], truth.models.index(m)]
            for t, m in zip(found.term, found.model, strict=True)
        ]
        parts.append(found.assign(slope=slope, effect=found["model"].map(effect)))
    return pd.concat(parts, ignore_index=True).assign(seed=seed, debate_sd=sd)


def errors(found: pd.DataFrame) -> pd.DataFrame:
    """Mean error, its greatest size of a model, and coverage, by quantity."""
    conform = found["quantity"].isin(["conformity", "conformity_eq2"])
    true = found["effect"].where(conform, found["slope"])
    told = found.assign(error=found["estimate"] - true, covered=true.between(found["low"], found["high"]))
    known = told[(told["scale"] == "log-odds") & (told["quantity"] != "alpha_difference") | conform]
    by = ["debate_sd", "term", "quantity"]
    each = known.groupby([*by, "model"], sort=False)["error"].mean()
    groups = known.groupby(by, sort=False)
    return pd.DataFrame(
        {
            "least": each.groupby(level=by, sort=False).min(),
            "mean": groups["error"].mean(),
            "most": each.groupby(level=by, sort=False).max(),
            "covered": groups["covered"].mean(),
            "estimates": groups["error"].count(),
        }
    )


def marginal(truth: Truth) -> pd.DataFrame:
    """The log-odds of a planted arm so large that chance hardly moves them, beside the slopes simulated."""
    phi = np.random.default_rng(5).normal(0, truth.case_sd, (CASES, 5))
    parts = []
    for heard_now in (True, False):
        arms = draw(truth, phi, MARGINAL, 1, heard_now, [6, heard_now])
        parts.append(causal(Arms(None, arms.planted, ())).table)
    found = pd.concat(parts)
    found = found[found["quantity"] == "gamma_planted"]
    slope = [
        truth.slopes[SLOPES[t], truth.models.index(m)] for t, m in zip(found.term, found.model, strict=True)
    ]
    return found[["term", "model", "estimate", "se"]].assign(slope=slope)


def asked(truth: Truth) -> pd.DataFrame:
    """How sure inertia within conversations is, by how often seats are asked: one draw of each."""
    phi = np.random.default_rng(7).normal(0, truth.case_sd, (CASES, 5))
    rows = []
    for askings in OFTEN:
        arm = draw(truth, phi, REPETITIONS, askings, True, [8, askings]).reasked
        for number, model in enumerate(truth.models):
            found = within(arm.of(number))
            rows.append((askings, model, found.runs, found.informative, found.alpha, found.se))
    return pd.DataFrame(rows, columns=["askings", "model", "conversations", "informative", "alpha", "se"])


def main() -> None:
    """Prints the errors with and without leanings of debates."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    found = pd.concat([measured(sd, seed) for sd in LEANINGS for seed in range(1, draws + 1)])
    print(f"{draws} draws of {CASES} cases, {REPETITIONS} repetitions, {ASKINGS} askings\n")
    print(errors(found).round(3).to_string())
    print("\nlog-odds of a large planted arm, debates lean with sd 1\n")
    print(marginal(replace(PAPER_TRUTH, debate_sd=1.0)).round(3).to_string(index=False))
    print("\ninertia within conversations, by how often seats are asked\n")
    print(asked(replace(PAPER_TRUTH, debate_sd=1.0)).round(3).to_string(index=False))


if __name__ == "__main__":
    main()
