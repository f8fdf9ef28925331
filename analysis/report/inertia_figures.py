"""Slopes with their intervals, as odds ratios on an axis of logarithms: a panel for each term."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from analysis.model.fit import Fit
from analysis.model.rows import TERMS
from analysis.report.figure import Figure, Panel
from analysis.report.forest import Mark, Row, forest, odds_scale, series
from analysis.report.inertia_tables import WORDS
from analysis.report.units import ODDS

LINES = "Lines are 95% intervals, clustered by case; 1 is no effect; the axis holds 0.01 to 100 at most."


def parameters(table: pd.DataFrame) -> pd.DataFrame:
    """The slopes of `Fit.table` with the columns term and group, "gpt" or "gpt, synchronous", before them."""
    split = [str(name).rstrip("]").split("[", 1) for name in table.index]
    told = table.reset_index(drop=True)
    told.insert(0, "term", [term for term, _ in split])
    told.insert(1, "group", [group for _, group in split])
    return told


def by_model(found: Fit) -> Figure:
    """The slopes of each model."""
    data = parameters(found.table())
    panels = _panels(data, lambda own: [Row(str(row["group"]), "", [_mark(row)]) for row in own])
    return Figure("inertia", f"Inertia and conformity by model, as odds ratios. {LINES}", None, panels, data)


def by_estimator(fits: Mapping[str, Fit]) -> Figure:
    """The slopes of each model by each estimator."""
    data = pd.concat(
        [parameters(fit.table()).assign(estimator=name) for name, fit in fits.items()], ignore_index=True
    )

    def rows(own: list[dict[str, object]]) -> list[Row]:
        ordered = sorted(own, key=lambda row: str(row["group"]))
        return [Row(str(row["estimator"]), str(row["group"]), [_mark(row)]) for row in ordered]

    caption = f"The same slopes by other estimators, as odds ratios. {LINES}"
    return Figure("inertia-estimators", caption, None, _panels(data, rows), data)


def by_protocol(found: Fit) -> Figure:
    """The slopes of each model under each protocol."""
    data = parameters(found.table())
    split = [str(group).rsplit(", ", 1) for group in data["group"]]
    data = data.assign(group=[model for model, _ in split], protocol=[protocol for _, protocol in split])
    names = sorted(set(data["protocol"]))

    def rows(own: list[dict[str, object]]) -> list[Row]:
        models = list(dict.fromkeys(str(row["group"]) for row in own))
        return [
            Row(
                model,
                "",
                [_mark(row, names.index(str(row["protocol"]))) for row in own if row["group"] == model],
            )
            for model in models
        ]

    legend = series([name.replace("_", "-") for name in names])
    caption = f"Slopes by protocol, as odds ratios. {LINES}"
    return Figure("inertia-protocols", caption, legend, _panels(data, rows), data)


def _panels(data: pd.DataFrame, rows: Callable[[list[dict[str, object]]], list[Row]]) -> Sequence[Panel]:
    """A panel for each term of which anything is known, all on one scale."""
    told = {term: rows(_records(data[data["term"] == term])) for term in TERMS}
    known = {
        term: own for term, own in told.items() if any(pd.notna(m.estimate) for row in own for m in row.marks)
    }
    along = odds_scale(row for own in known.values() for row in own)
    return [forest(WORDS[term], own, along, ODDS) for term, own in known.items()]


def _records(own: pd.DataFrame) -> list[dict[str, object]]:
    return [{str(name): value for name, value in row.items()} for row in own.to_dict("records")]


def _mark(row: Mapping[str, object], place: int = 0) -> Mark:
    coef, low, high = (float(str(row[name])) for name in ("coef", "low", "high"))
    return Mark(coef, low, high, place, "the verdicts do not identify it")
