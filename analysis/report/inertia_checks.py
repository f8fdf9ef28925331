"""The tables of what inertia and conformity were tested for, and of how well the fits describe verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from analysis.model.fit import Fit
from analysis.model.statistics import statistics
from analysis.model.wald import Test
from analysis.report.frame import Record
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import probability
from analysis.report.units import NONE, PERCENT, Unit, count

ONE, THREE = Unit("", decimals=1), Unit("")


def needed(tests: pd.DataFrame) -> Table:
    """Tests against smaller models."""
    known = {str(name): row for name, row in tests.iterrows()}
    rows = [
        [
            Cell(name),
            Cell(count(row["df"])),
            Cell(ONE.number(row["wald"])),
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
        [Cell(how), Cell(ONE.number(test.statistic)), Cell(count(test.df)), Cell(probability(test.p))]
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
    rows = [
        [
            Cell(str(row["tenth"])),
            *(Cell(PERCENT.number(row[name])) for name in ("predicted", "observed")),
            Cell(count(row["n"])),
        ]
        for row in found.to_dict("records")
    ]
    heads = ["tenth", "predicted", "observed", "n"]
    return Table("inertia-deciles", caption, heads, 1, [Group("", rows)], found)


def rounds(found: pd.DataFrame) -> Table:
    """Calibration by round."""
    labels = list(dict.fromkeys(found["label"]))
    rows = [
        [Cell(f"round {round}"), *_of_round(own, labels), Cell(count(own["n"].max()))]
        for round, own in found.groupby("round")
    ]
    caption = (
        "Share of each verdict by round, in percent, below it what the fit expects; last, how often a seat"
        " gave its last verdict again."
    )
    return Table("inertia-rounds", caption, ["round", *labels, "n"], 1, [Group("", rows)], found)


def _of_round(own: pd.DataFrame, labels: Sequence[str]) -> Iterator[Cell]:
    known = {row["label"]: row for row in own.to_dict("records")}
    for label in labels:
        row = known.get(label)
        yield Cell(*(PERCENT.number(row[name]) for name in ("observed", "predicted"))) if row else Cell(NONE)


def fits(found: Mapping[str, Fit]) -> Table:
    """How well each fit describes the verdicts."""
    told = {name: (fit, statistics(fit)) for name, fit in found.items()}
    data = pd.DataFrame(
        [
            {
                "estimator": name,
                "parameters": own.parameters,
                "effective": own.effective,
                "log-likelihood": fit.estimate.loglik,
                "of kind": own.kind.lower(),
                "McFadden": own.mcfadden,
                "AIC": own.aic,
                "BIC": own.bic,
                "converged": "yes" if fit.estimate.converged else "no",
            }
            for name, (fit, own) in told.items()
        ]
    )
    rows = [
        [
            *(Cell(name), Cell(count(own.parameters)), Cell(ONE.number(own.effective))),
            *(
                Cell(ONE.number(fit.estimate.loglik)),
                Cell(own.kind.lower()),
                Cell(THREE.number(own.mcfadden)),
            ),
            *(Cell(ONE.number(own.aic)), Cell(ONE.number(own.bic))),
            Cell("yes" if fit.estimate.converged else "no"),
        ]
        for name, (fit, own) in told.items()
    ]
    caption = (
        "Fits. Effective: parameters in effect, phi included; log-likelihoods of different kinds cannot be"
        " compared; McFadden: against how often each model gives each verdict; BIC counts cases."
    )
    return Table("inertia-fits", caption, list(data.columns), 1, [Group("", rows)], data)
