"""The tables of the section on inertia and conformity."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import Fit
from analysis.model.rows import TERMS
from analysis.model.support import HEARD
from analysis.report.table import Cell, Group, Row, Table
from analysis.report.tabulated import probability
from analysis.report.units import NONE, ODDS, Unit, count

WORDS = {
    "alpha": "inertia (alpha)",
    "gamma_prev": "conformity to earlier rounds (gamma_prev)",
    "gamma_within": "conformity within the round (gamma_within)",
}
"""The terms in words."""

LOG_ODDS = Unit("log-odds", sign=True)


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
        Group(
            model,
            [
                [Cell(WORDS[term]), *(_odds(one, f"{term}[{model}]") for one in tables.values())]
                for term in own
            ],
        )
        for model, own in _by_group(first).items()
    ]
    data = pd.concat([one.reset_index().assign(estimator=name) for name, one in tables.items()])
    caption = "Odds ratios by estimator, below each its 95% interval; paper with the paper's way to count."
    return Table("inertia-estimators", caption, ["slope", *tables], 1, groups, data)


def assumptions(fits: Mapping[str, Fit]) -> Table:
    """What each estimator is, and what it assumes."""
    told = pd.DataFrame(
        [(name, ESTIMATORS[name].words, ESTIMATORS[name].assumes.replace("`", "")) for name in fits],
        columns=["estimator", "is", "assumes"],
    )
    rows = [[Cell(str(word)) for word in row] for row in told.itertuples(index=False)]
    return Table("inertia-assumptions", "What each assumes.", list(told.columns), 3, [Group("", rows)], told)


def by_protocol(found: Fit) -> Table:
    """Odds ratios by model and protocol."""
    table = found.table()
    split = [group.rsplit(", ", 1) for group in found.design.groups]
    models, protocols = (list(dict.fromkeys(names)) for names in zip(*split, strict=True))
    groups = [
        Group(
            model,
            [
                [Cell(WORDS[term]), *(_odds(table, f"{term}[{model}, {protocol}]") for protocol in protocols)]
                for term in TERMS
            ],
        )
        for model in models
    ]
    caption = (
        "Odds ratios by protocol, below each its 95% interval;"
        f" {NONE} where debates of a protocol do not identify it."
    )
    heads = ["slope", *(protocol.replace("_", "-") for protocol in protocols)]
    return Table("inertia-protocols", caption, heads, 1, groups, table.reset_index())


def _odds(table: pd.DataFrame, name: str) -> Cell:
    """The odds ratio of a slope with its interval; nothing where there is no such slope."""
    found = table[table.index == name][["coef", "low", "high"]].to_numpy(float)
    if not len(found):
        return Cell(NONE)
    coef, low, high = map(float, found[0])
    return Cell(ODDS.number(coef), ODDS.interval(low, high))


def _by_group(table: pd.DataFrame) -> dict[str, dict[str, Mapping[str, float]]]:
    """The rows of `Fit.table` by group, then term."""
    found: dict[str, dict[str, Mapping[str, float]]] = {}
    for name, row in zip(table.index, table.to_dict("records"), strict=True):
        term, group = str(name).rstrip("]").split("[", 1)
        found.setdefault(group, {})[term] = {str(key): float(value) for key, value in row.items()}
    return found
