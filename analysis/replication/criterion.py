"""Does the paper's Table 1 come back? The rule of a review of it, taken literally, and tests of equivalence.

Literally, the table is retired as a worry only if each of its figures comes back within 20% in every
repetition. Where nothing has changed at all that fails in five of six experiments of 200 cases and five
repetitions, from chance alone; so it is told, and equivalence of the mean over repetitions decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy import stats

from analysis.replication.table1 import MAIN, reference

Outcome = Literal["threat", "retired", "inconclusive"]

NEAR = (0.8, 1.2)
"""The odds ratio of a repetition to that of the table, within 20%."""

LEVEL = 0.05
"""That of the tests."""

PARAMETERS = 9
"""Of Table 1: three slopes of three models."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An outcome, why, and the figures that it rests on, a row each."""

    outcome: Outcome
    reasons: tuple[str, ...]
    figures: pd.DataFrame


def literal(names: Sequence[str], tables: Sequence[pd.DataFrame], models: Mapping[str, str]) -> Judged:
    """The rule as the review states it, on the slopes (`Fit.table`) of each repetition.

    `threat` where in any repetition the intervals of gamma_within of gpt and claude overlap, or gpt's is
    below gemini's; `retired` where in every repetition all nine odds ratios are within 20% of Table 1; else
    `inconclusive`. Figures: repetition; overlap and below, null where a model is missing; near, how many odds
    ratios are within 20%, of how many.
    """
    paper = reference({model: models[model] for model in MAIN if model in models})
    rows = []
    for name, table in zip(names, tables, strict=True):
        difference = (table["coef"].reindex(paper.index) - paper["coef"]).dropna()
        rows.append(
            {
                "repetition": name,
                "overlap": _overlap(table, models),
                "below": _below(table, models),
                "near": int(difference.between(*np.log(NEAR)).sum()),
                "of": len(difference),
            }
        )
    figures = pd.DataFrame(rows)
    threats = [*_threats(figures)]
    if threats:
        return Judged("threat", tuple(threats), figures)
    if (figures["near"] == PARAMETERS).all():
        return Judged("retired", ("all nine odds ratios are within 20% in every repetition",), figures)
    near, of = figures["near"].sum(), figures["of"].sum()
    reasons = [f"{near} of {of} odds ratios are within 20% of Table 1", *missing(models, figures)]
    return Judged("inconclusive", tuple(reasons), figures)


def equivalent(summary: pd.DataFrame, models: Mapping[str, str], threats: Judged) -> Judged:
    """Two one-sided t tests of the mean over repetitions (`across`), and that repetitions do not differ.

    `threat` as the literal rule has it; `retired` where each of the nine means is within 20% of Table 1 in
    odds (both tests at 5%) and Cochran's test does not tell repetitions apart; else `inconclusive`. Figures,
    by parameter: paper; mean; ratio of the odds, with its 90% interval low to high; p of the larger of the
    two tests; q_p; equivalent.
    """
    paper = reference({model: models[model] for model in models})
    own = summary.reindex(paper.index)
    count = own["repetitions"].fillna(0).to_numpy(float)
    difference = (own["mean"] - paper["coef"]).to_numpy(float)
    p, reach = _two_tests(difference, own["sd"].to_numpy(float), count)
    figures = pd.DataFrame(
        {
            "model": paper["model"],
            "paper": paper["coef"],
            "mean": own["mean"],
            "ratio": np.exp(difference),
            "low": np.exp(difference - reach),
            "high": np.exp(difference + reach),
            "p": p,
            "q_p": own["q_p"],
            "equivalent": (p < LEVEL) & (own["q_p"] > LEVEL),
        },
        index=paper.index,
    )
    main = figures[figures["model"].isin(MAIN)]
    shown = int(main["equivalent"].sum())
    if threats.outcome == "threat":
        return Judged("threat", threats.reasons, figures)
    if shown == PARAMETERS:
        return Judged(
            "retired", ("all nine means are equivalent to Table 1, and repetitions agree",), figures
        )
    reasons = [f"{shown} of {len(main)} means are shown to be within 20% of Table 1"]
    return Judged("inconclusive", (*reasons, *missing(models, threats.figures)), figures)


def missing(models: Mapping[str, str], figures: pd.DataFrame) -> Iterator[str]:
    """What the rule could not look at."""
    absent = [model for model in MAIN if model not in models]
    if absent:
        yield (
            f"{' and '.join(absent)} of the paper: none of these models; say which one it is with"
            f" --as {absent[0]}=MODEL"
        )
    elif figures["of"].min() < PARAMETERS:
        yield f"only {figures['of'].min()} of the nine slopes are identified in every repetition"


def _two_tests(difference: np.ndarray, sd: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The larger p of two one-sided tests against the ends of `NEAR`, and half of the 90% interval."""
    df = np.maximum(count - 1, 1)
    error = np.where(count > 1, sd, np.nan) / np.sqrt(np.maximum(count, 1))
    low, high = np.log(NEAR)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.maximum(
            stats.t.sf((difference - low) / error, df), stats.t.sf((high - difference) / error, df)
        )
    return p, stats.t.ppf(1 - LEVEL, df) * error


def _overlap(table: pd.DataFrame, models: Mapping[str, str]) -> bool | None:
    """Whether the intervals of gamma_within of gpt and claude overlap."""
    one, other = (_within(table, model, models) for model in ("gpt", "claude"))
    if one is None or other is None:
        return None
    return one["low"] <= other["high"] and other["low"] <= one["high"]


def _below(table: pd.DataFrame, models: Mapping[str, str]) -> bool | None:
    """Whether gamma_within of gpt is below that of gemini."""
    one, other = (_within(table, model, models) for model in ("gpt", "gemini"))
    return None if one is None or other is None else one["coef"] < other["coef"]


def _within(table: pd.DataFrame, model: str, models: Mapping[str, str]) -> dict[str, float] | None:
    """Coef, low and high of gamma_within of a model of the paper; None where it is not known."""
    known = table.dropna(subset=["coef"])
    row = known[known.index == f"gamma_within[{models.get(model)}]"]
    return {name: float(row[name].iloc[0]) for name in ("coef", "low", "high")} if len(row) else None


def _threats(figures: pd.DataFrame) -> Iterator[str]:
    for column, said in (
        ("overlap", "the intervals of gamma_within of gpt and claude overlap"),
        ("below", "gamma_within of gpt is below that of gemini"),
    ):
        where = [str(name) for name, bad in zip(figures["repetition"], figures[column], strict=True) if bad]
        if where:
            yield f"{said} in {len(where)} of {len(figures)} repetitions ({', '.join(where)})"
