"""The rows of the tables that set repetitions against the paper."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from rich.text import Text

from analysis.replication.lines import NONE, by_model, odds
from analysis.replication.replicate import Fitted
from analysis.report.frame import Record
from analysis.sheet import Named, Sheet


def judged(figures: Mapping[str, pd.DataFrame]) -> Sheet:
    """The paper's slopes, and by each way to fit the mean as a multiple of its odds."""
    whole = pd.concat([one.add_prefix(f"{name} ") for name, one in figures.items()], axis=1)
    first = next(iter(figures))

    def said(row: Record) -> list[Text]:
        return [
            odds(row[f"{first} paper"]),
            *(cell for name in figures for cell in _ratio(name, row)),
        ]

    heads = ["paper", *(head for name in figures for head in (f"{name},\nodds ratio", "of the\npaper's", ""))]
    return Sheet("model", "slope", list(map(Text, heads)), by_model(whole, said))


def _ratio(name: str, row: Record) -> list[Text]:
    ratio, low, high = (row[f"{name} {of}"] for of in ("ratio", "low", "high"))
    if not np.isfinite(ratio):
        return [NONE, NONE, NONE]
    ends = f"\n{low:.2f}–{high:.2f}" if np.isfinite(low) else ""
    there = Text("✓", "green") if row[f"{name} equivalent"] else Text("·", "dim")
    return [odds(row[f"{name} mean"]), Text.assemble(f"× {ratio:.2f}", (ends, "dim")), there]


def rule(fitted: Fitted) -> Sheet:
    """What the literal rule looks at, by repetition."""
    figures = pd.DataFrame() if fitted.rule is None else fitted.rule.figures
    rows: list[Named] = [
        (
            str(row["repetition"]),
            [flag(row["overlap"]), flag(row["below"]), Text(f"{row['near']} of {row['of']}")],
        )
        for row in figures.to_dict("records")
    ]
    heads = ["gpt and claude\noverlap", "gpt below\ngemini", "odds ratios\nwithin 20%"]
    return Sheet("", "repetition", list(map(Text, heads)), [("", rows)])


def rates(found: pd.DataFrame) -> Sheet:
    """Change of verdict of `falsifier.changes`, by repetition."""
    rows: list[Named] = [
        (
            str(name),
            [*map(_rate, own.sort_values("model").to_dict("records")), flag(own["overlap"].iloc[0])],
        )
        for name, own in found.groupby("repetition", sort=False)
    ]
    return Sheet("", "repetition", [Text("claude"), Text("gpt"), Text("overlap")], [("", rows)])


def _rate(row: Record) -> Text:
    low, high = 100 * row["wilson_low"], 100 * row["wilson_high"]
    return Text.assemble(f"{100 * row['estimate']:.1f}%", (f"\n{low:.1f}–{high:.1f}", "dim"))


def flag(found: bool | float | None) -> Text:
    """A yes that is a threat, a no that is none, – where it cannot be told."""
    if found is None or pd.isna(found):
        return NONE
    return Text("yes", "red") if found else Text("no", "green")
