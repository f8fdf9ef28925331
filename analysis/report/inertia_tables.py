"""The tables of the section on inertia and conformity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import Fit
from analysis.model.statistics import statistics
from analysis.model.support import HEARD
from analysis.model.wald import Test
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import probability
from analysis.report.units import NONE, ODDS, PERCENT, Unit, count

WORDS = {
    "alpha": "inertia (alpha)",
    "gamma_prev": "conformity to earlier rounds (gamma_prev)",
    "gamma_within": "conformity within the round (gamma_within)",
}
"""The terms in words."""

LOG_ODDS = Unit("log-odds", sign=True)
PLAIN = Unit("", decimals=1)
SHARE = Unit("share")


def slopes(found: Fit) -> Table:
    """Table 1 of the paper: odds ratios and log-odds by model."""
    table = found.table()
    groups = [
        Group(model, [_slope(term, row) for term, row in own.items()])
        for model, own in _by_group(table).items()
    ]
    caption = "Slopes, as odds ratios and in log-odds; below each its 95% interval, errors clustered by case."
    heads = ["slope", "odds ratio", "log-odds", "std. error", "p"]
    return Table("inertia", caption, heads, 1, groups, table.reset_index())


def _slope(term: str, row: Mapping[str, float]) -> Row:
    ends = (row["low"], row["high"])
    return [
        Cell(WORDS[term]),
        Cell(ODDS.number(row["coef"]), ODDS.interval(*ends)),
        Cell(LOG_ODDS.number(row["coef"]), LOG_ODDS.interval(*ends)),
        Cell(Unit("").number(row["se"])),
        Cell(probability(row["p"])),
    ]


def support(found: pd.DataFrame) -> Table:
    """How many verdicts follow what was said before."""
    groups = [
        Group(
            f"{WORDS[str(term)]}: {HEARD[str(term)]}",
            [
                [
                    Cell(str(row["model"])),
                    *(Cell(count(row[name])) for name in ("verdicts", "follow", "differ")),
                ]
                for row in own.to_dict("records")
            ],
        )
        for term, own in found.groupby("term", sort=False)
    ]
    caption = "Verdicts that had something to follow, those that follow it, and those that do not."
    return Table("inertia-support", caption, ["model", "verdicts", "follow", "do not"], 1, groups, found)


def estimators(fits: Mapping[str, Fit]) -> Table:
    """Odds ratios by each estimator."""
    tables = {name: fit.table() for name, fit in fits.items()}
    first = next(iter(tables.values()))
    groups = [
        Group(model, [[Cell(WORDS[term]), *_odds_of(tables, f"{term}[{model}]")] for term in own])
        for model, own in _by_group(first).items()
    ]
    data = pd.concat([one.reset_index().assign(estimator=name) for name, one in tables.items()])
    caption = "Odds ratios by estimator, below each its 95% interval; `paper` with the paper's way to count."
    return Table("inertia-estimators", caption, ["slope", *tables], 1, groups, data)


def _odds_of(tables: Mapping[str, pd.DataFrame], name: str) -> Iterator[Cell]:
    for table in tables.values():
        row = table.loc[name]
        yield Cell(ODDS.number(row["coef"]), ODDS.interval(row["low"], row["high"]))


def assumptions(fits: Mapping[str, Fit]) -> Table:
    """What each estimator is, and what it assumes."""
    told = pd.DataFrame(
        [(name, ESTIMATORS[name].words, ESTIMATORS[name].assumes) for name in fits],
        columns=["estimator", "is", "assumes"],
    )
    rows = [[Cell(str(word)) for word in row] for row in told.itertuples(index=False)]
    return Table("inertia-assumptions", "What each assumes.", list(told.columns), 3, [Group("", rows)], told)


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


def by_protocol(found: Fit) -> Table:
    """Odds ratios by model and protocol."""
    table = found.table()
    by_model: dict[str, list[Row]] = {}
    for group, own in _by_group(table).items():
        model, protocol = group.rsplit(", ", 1)
        for term, row in own.items():
            cells = [Cell(WORDS[term]), Cell(protocol.replace("_", "-"))]
            ends = ODDS.interval(row["low"], row["high"])
            by_model.setdefault(model, []).append([*cells, Cell(ODDS.number(row["coef"]), ends)])
    groups = [Group(model, sorted(rows, key=lambda row: row[0].said)) for model, rows in by_model.items()]
    caption = (
        f"Odds ratios by protocol, below each its 95% interval; {NONE} where a protocol does not identify it."
    )
    heads = ["slope", "protocol", "odds ratio"]
    return Table("inertia-protocols", caption, heads, 2, groups, table.reset_index())


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
        Group(
            str(condition).replace("_", "-"),
            [
                [
                    Cell(str(row["quantity"])),
                    Cell(
                        f""
                        f""
                        f""
                        f""
                        f""
                        f""
                        f""
                        f""
                        f" {PERCENT.number(row['observed'])}{' ×' * (not row['low'] <= row['observed'] <= row['high'])}"
                    ),
                    Cell(PERCENT.number(row["predicted"]), PERCENT.interval(row["low"], row["high"])),
                    Cell(count(row["n"])),
                ]
                for row in own.to_dict("records")
            ],
        )
        for condition, own in found.groupby("condition", sort=False)
    ]
    caption = "Percent of debates, as observed and as the fit plays them, with where 95% of its plays lie."
    heads = ["outcome", "observed", "predicted", "n"]
    return Table("inertia-predictive", caption, heads, 1, groups, found)


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


def _by_group(table: pd.DataFrame) -> dict[str, dict[str, Mapping[str, float]]]:
    """The rows of `Fit.table` by group, then term."""
    found: dict[str, dict[str, Mapping[str, float]]] = {}
    for name, row in zip(table.index, table.to_dict("records"), strict=True):
        term, group = str(name).rstrip("]").split("[", 1)
        found.setdefault(group, {})[term] = {str(key): float(value) for key, value in row.items()}
    return found
