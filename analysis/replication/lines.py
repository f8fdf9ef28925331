"""The rows of the tables of repetitions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from rich.text import Text

from analysis.model.outcomes import CHANGE
from analysis.report.frame import Record
from analysis.report.units import ODDS
from analysis.sheet import Named, Sheet

NONE = Text("–")


def odds(value: float, low: float = np.nan, high: float = np.nan) -> Text:
    """An odds ratio with its interval below, from logarithms."""
    ends = ODDS.interval(low, high)
    return Text.assemble(ODDS.number(value), (f"\n{ends}" if ends else "", "dim"))


def spread(slopes: pd.DataFrame) -> Sheet:
    """The slopes of `across.across` by model."""
    heads = ["odds ratio", "one more\nrepetition", "with new\ncases", "sd", "p of Q", "I²", "τ"]
    return Sheet("model", "slope", list(map(Text, heads)), by_model(slopes, _spread))


def _spread(row: Record) -> list[Text]:
    return [
        odds(row["mean"], row["low"], row["high"]),
        _between(row["next_low"], row["next_high"]),
        _between(row["total_low"], row["total_high"]),
        _number(row["sd"], 2),
        _number(row["q_p"], 3),
        _number(100 * row["i2"], 0, "%"),
        _number(np.sqrt(row["tau2"]), 2),
    ]


def effects(tables: Mapping[str, pd.DataFrame]) -> Sheet:
    """The slopes of each repetition side by side, by model."""
    keys = {
        name: table[["coef", "low", "high"]].add_prefix(f"{n} ")
        for n, (name, table) in enumerate(tables.items())
    }
    whole = pd.concat(list(keys.values()), axis=1)

    def said(row: Record) -> list[Text]:
        return [odds(row[f"{n} coef"], row[f"{n} low"], row[f"{n} high"]) for n in range(len(tables))]

    return Sheet("model", "slope", [Text(name) for name in tables], by_model(whole, said))


def levels(found: pd.DataFrame) -> Sheet:
    """The shares of `variance.nested`."""
    rows: list[Named] = [
        (
            str(row["quantity"]),
            [
                *(_number(100 * row[name], 0, "%") for name in ("condition", "case", "repetition")),
                _number(row["conditions"], 0),
                _number(row["cases"], 0),
            ],
        )
        for row in found.to_dict("records")
    ]
    heads = ["conditions", "cases", "repetitions", "no. of\nconditions", "cases\nin all"]
    return Sheet("", "outcome", list(map(Text, heads)), [("", rows)])


def parts(found: pd.DataFrame) -> Sheet:
    """The ICC of `variance.decomposed` for the outcomes of whole panels, by condition."""
    panels = found[~found["quantity"].str.startswith(CHANGE)]
    rows: list[Named] = [
        (str(condition), [_icc(row) for row in own.to_dict("records")])
        for condition, own in panels.groupby("condition", sort=False)
    ]
    heads = [Text("\n".join(str(one).split(" ", 1))) for one in panels["quantity"].unique()]
    return Sheet("", "condition", heads, [("", rows)])


def _icc(row: Record) -> Text:
    if not np.isfinite(row["icc"]):
        return NONE
    return Text.assemble(f"{row['icc']:.2f}", (f"\n{row['low']:.2f}–{row['high']:.2f}", "dim"))


def same(found: pd.DataFrame) -> Sheet:
    """The repeat-agreement of `agreement.repeated`."""
    rows: list[Named] = []
    for row in found.to_dict("records"):
        ends = f"\n{100 * row['low']:.0f}–{100 * row['high']:.0f}" if np.isfinite(row["low"]) else ""
        share = Text.assemble(f"{100 * row['estimate']:.1f}%", (ends, "dim")) if row["denominator"] else NONE
        rows.append((str(row["model"]), [share, _number(row["denominator"], 0), _number(row["cases"], 0)]))
    return Sheet("", "model", [Text("the same"), Text("pairs"), Text("cases")], [("", rows)])


def by_model(frame: pd.DataFrame, said: Callable[[Record], list[Text]]) -> list[tuple[str, list[Named]]]:
    """The rows of parameters such as "alpha[gpt]" under their models."""
    groups: dict[str, list[Named]] = {}
    for parameter, row in zip(frame.index, frame.to_dict("records"), strict=True):
        term, model = str(parameter).rstrip("]").split("[", 1)
        groups.setdefault(model, []).append((term, said(row)))
    return list(groups.items())


def _between(low: float, high: float) -> Text:
    return Text(ODDS.interval(low, high) or NONE.plain)


def _number(value: float, digits: int, unit: str = "") -> Text:
    return Text(f"{value:,.{digits}f}{unit}") if np.isfinite(value) else NONE
