"""What the draws of a study say of each of its sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from analysis.model.fit import LEVEL
from analysis.model.rows import Floats
from analysis.power.rates import Contrast
from analysis.power.trial import Trial

EQUIVALENT = (0.8, 1.2)
"""Odds ratios between which a replication is taken for equal to what it replicates."""

TEST_LEVEL = 0.05
"""Of each one-sided test of equivalence."""

SIZE = ["dilemmas", "repetitions"]
PARAMETER = ["kind", "term", "model", "other"]
FIGURES = (
    "truth draws se half_width odds_ratio odds_low odds_high bias bias_error coverage"
    " power rejected equivalence"
).split()


@dataclass(frozen=True, slots=True)
class Expected:
    """Three tables, each sorted by repetitions and dilemmas.

    `sizes`: draws, those in which the fit converged, verdicts of a draw, and of a dilemma in it.

    `parameters`: truth; draws, those that tell the parameter; se, the mean of its standard errors;
    half_width of the 95% interval in log-odds and odds_ratio, odds_low, odds_high, where it is expected, so
    beside the truth where there is bias; bias, the mean error, with bias_error, its Monte-Carlo error;
    coverage of the intervals; power, the
    chance that a test at 5% finds the parameter other than 0; rejected, the share of draws in which it does;
    equivalence, the chance that two one-sided tests at 5% find the odds ratio within `EQUIVALENT` times the
    true one.

    `rates`: contrast and measure, and half_width, a share of debates.
    """

    sizes: pd.DataFrame
    parameters: pd.DataFrame
    rates: pd.DataFrame


def expected(trials: Sequence[Trial], contrasts: Sequence[Contrast]) -> Expected:
    """The tables of these draws.

    Power and equivalence are the mean over draws of what their standard errors imply, for an estimator with
    the bias found, where that is more than two of its Monte-Carlo errors, and else without.
    """
    found = pd.concat(
        [
            each.found.assign(dilemmas=each.size.dilemmas, repetitions=each.size.repetitions)
            for each in trials
        ],
        ignore_index=True,
    )
    return Expected(_sizes(trials), _parameters(found), _rates(trials, contrasts))


def power(centre: Floats | float, se: Floats) -> Floats:
    """The chance that an estimate around `centre` with this error is significant at 5%, either way."""
    reach = stats.norm.ppf((1 + LEVEL) / 2)
    found: Floats = stats.norm.sf(reach - centre / se) + stats.norm.cdf(-reach - centre / se)
    return found


def equivalence(bias: Floats | float, se: Floats) -> Floats:
    """The chance that an estimate so far off on average is found within `EQUIVALENT` of the truth."""
    reach = stats.norm.ppf(1 - TEST_LEVEL) * se
    low, high = np.log(EQUIVALENT)
    inside = stats.norm.cdf((high - reach - bias) / se) - stats.norm.cdf((low + reach - bias) / se)
    found: Floats = np.maximum(inside, 0.0)
    return found


def _sizes(trials: Sequence[Trial]) -> pd.DataFrame:
    rows = pd.DataFrame(
        [(each.size.dilemmas, each.size.repetitions, each.converged, each.verdicts) for each in trials],
        columns=[*SIZE, "converged", "verdicts"],
    )
    table = (
        rows.groupby(SIZE)
        .agg(draws=("verdicts", "size"), converged=("converged", "sum"), verdicts=("verdicts", "mean"))
        .reset_index()
    )
    return _sorted(table.assign(per_dilemma=table["verdicts"] / table["dilemmas"]))


def _parameters(found: pd.DataFrame) -> pd.DataFrame:
    groups = found.dropna(subset=["coef", "se"]).groupby([*SIZE, *PARAMETER], sort=False)
    told = [{**dict(zip([*SIZE, *PARAMETER], key, strict=True)), **_parameter(rows)} for key, rows in groups]
    return _sorted(pd.DataFrame(told, columns=[*SIZE, *PARAMETER, *FIGURES]))


def _parameter(rows: pd.DataFrame) -> dict[str, float]:
    """One parameter at one size, from the draws that tell it."""
    truth, coef, se = float(rows["truth"].iloc[0]), rows["coef"].to_numpy(float), rows["se"].to_numpy(float)
    reach = float(stats.norm.ppf((1 + LEVEL) / 2))
    bias, half = float((coef - truth).mean()), reach * float(se.mean())
    spread = float(coef.std(ddof=1)) / np.sqrt(len(coef)) if len(coef) > 1 else np.nan
    sure = bias if abs(bias) > 2 * spread else 0.0
    with np.errstate(over="ignore"):
        ends = np.exp([truth + sure - half, truth + sure + half])
    return {
        "truth": truth,
        "draws": len(coef),
        "se": float(se.mean()),
        "half_width": half,
        "odds_ratio": float(np.exp(truth)),
        "odds_low": float(ends[0]),
        "odds_high": float(ends[1]),
        "bias": bias,
        "bias_error": spread,
        "coverage": float((np.abs(coef - truth) <= reach * se).mean()),
        "power": float(power(truth + sure, se).mean()),
        "rejected": float((np.abs(coef) > reach * se).mean()),
        "equivalence": float(equivalence(sure, se).mean()),
    }


def _rates(trials: Sequence[Trial], contrasts: Sequence[Contrast]) -> pd.DataFrame:
    rows = [
        (each.size.dilemmas, each.size.repetitions, contrast.name, contrast.measure, half)
        for each in trials
        for contrast, half in zip(contrasts, each.rates, strict=True)
    ]
    columns = [*SIZE, "contrast", "measure"]
    table = pd.DataFrame(rows, columns=[*columns, "half_width"])
    return _sorted(table.groupby(columns, sort=False)["half_width"].mean().reset_index())


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values(["repetitions", "dilemmas"], kind="stable", ignore_index=True)
