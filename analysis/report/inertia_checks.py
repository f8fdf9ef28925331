"""The tables of what inertia and conformity were tested for, and of how well the fits describe verdicts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.model.fit import Fit
from analysis.model.statistics import statistics
from analysis.model.wald import Test
from analysis.report.frame import Record
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import probability
from analysis.report.units import NONE, PERCENT, Unit, count

PLAIN = Unit("", decimals=1)


def needed(tests: pd.DataFrame) -> Table:
    """Tests against smaller models."""
    known = {str(name): row for name, row in tests.iterrows()}
    rows = [
        [
            Cell(name),
            Cell(count(row["df"])),
            Cell(PLAIN.number(row["wald"])),
            Cell(probability(row["wald_p"])),
        ]
        for name, row in known.items()
    ]
    caption = "The model against smaller ones; a small p says that the smaller one will not do."
    data = tests.rename_axis("model").reset_index()
    return Table("inertia-needed", caption, ["model", "df", "chi-square", "p"], 1, [Group("", rows)], data)


def tests(name: str, found: Mapping[str, Test]) -> Table:
    """Tests of one hypothesis."""
    data = pd.DataFrame(
        [(how, test.hypothesis, test.statistic, test.df, test.p) for how, test in found.items()],
        columns=["test", "hypothesis", "statistic", "df", "p"],
    )
    rows = [
        [Cell(how), Cell(PLAIN.number(test.statistic)), Cell(count(test.df)), Cell(probability(test.p))]
        for how, test in found.items()
    ]
    caption = f"Tests that {next(iter(found.values())).hypothesis}."
    return Table(name, caption, ["test", "chi-square", "df", "p"], 1, [Group("", rows)], data)


def predictive(found: pd.DataFrame) -> Table:
    """Observed shares beside those of debates drawn from the fit."""
    groups = [
        Group(str(condition).replace("_", "-"), [_played(row) for row in own.to_dict("records")])
        for condition, own in found.groupby("condition", sort=False)
    ]
    caption = "Percent of debates, as observed and as the fit plays them, with where 95% of its plays lie."
    heads = ["outcome", "observed", "predicted", "n"]
    return Table("inertia-predictive", caption, heads, 1, groups, found)


def _played(row: Record) -> Row:
    """One share; × marks one beyond the plays of the fit."""
    beyond = "" if row["low"] <= row["observed"] <= row["high"] else " ×"
    return [
        Cell(str(row["quantity"])),
        Cell(f"{PERCENT.number(row['observed'])}{beyond}"),
        Cell(PERCENT.number(row["predicted"]), PERCENT.interval(row["low"], row["high"])),
        Cell(count(row["n"])),
    ]


def deciles(found: pd.DataFrame) -> Table:
    """Calibration by tenths of probability."""
    caption = (
        "All labels that could be given, in tenths by the probability that the fit gives them, in percent."
    )
    return _calibration("inertia-deciles", caption, found, ["tenth"])


def rounds(found: pd.DataFrame) -> Table:
    """Calibration by round."""
    caption = "Share of each verdict by round, in percent, and how often a seat gave its last verdict again."
    return _calibration("inertia-rounds", caption, found, ["round", "label"])


def _calibration(name: str, caption: str, found: pd.DataFrame, keys: list[str]) -> Table:
    rows = [
        [
            *(Cell(str(row[key])) for key in keys),
            *(Cell(PERCENT.number(row[one])) for one in ("predicted", "observed")),
            Cell(count(row["n"])),
        ]
        for row in found.to_dict("records")
    ]
    return Table(name, caption, [*keys, "predicted", "observed", "n"], len(keys), [Group("", rows)], found)


def fits(found: Mapping[str, Fit]) -> Table:
    """How well each fit describes the verdicts."""
    told = []
    for name, fit in found.items():
        own = statistics(fit)
        told.append(
            {
                "estimator": name,
                "verdicts": len(fit.rows),
                "parameters": own.parameters,
                "effective": own.effective,
                "log-likelihood": fit.estimate.loglik,
                "likelihood": own.kind.lower(),
                "McFadden": own.mcfadden,
                "AIC": own.aic,
                "BIC": own.bic,
                "converged": "yes" if fit.estimate.converged else "no",
            }
        )
    data = pd.DataFrame(told)
    rows = [[Cell(_said(value)) for value in row] for row in data.itertuples(index=False)]
    caption = (
        "Fits. Effective: parameters in effect, phi included; likelihoods of different kinds cannot be"
        " compared; McFadden: against how often each model gives each verdict; BIC counts cases."
    )
    return Table("inertia-fits", caption, list(data.columns), 1, [Group("", rows)], data)


def _said(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None or not np.isfinite(float(str(value))):
        return NONE
    number = float(str(value))
    said = (
        f"{number:,.0f}"
        if float(number).is_integer()
        else f"{number:,.3f}"
        if abs(number) < 10
        else f"{number:,.1f}"
    )
    return said.replace("-", "−")
