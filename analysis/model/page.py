"""Tests of a fit as tables for a terminal."""

from __future__ import annotations

import numpy as np
import pandas as pd
from rich.console import Group
from rich.text import Text

from analysis.model.protocols import ByProtocol
from analysis.sheet import Named, Sheet


def tests_page(tests: pd.DataFrame) -> Group:
    """Which parts of the model the verdicts ask for; `tests` is what `nested.nested` gives."""
    rows: list[Named] = [
        (
            str(name),
            [
                *(_number(row[one], digits) for one, digits in (("df", 0), ("wald", 1))),
                _probability(row["wald_p"]),
                _number(row["lr"], 1),
                _probability(row["lr_p"]),
                _number(row["mcfadden"], 4),
            ],
        )
        for name, row in tests.iterrows()
    ]
    heads = ["df", "Wald chi2", "p", "LR chi2", "p", "McFadden R2"]
    said = (
        "Against smaller models. Wald: errors clustered by case; LR: the model taken for right; R2: against"
        " that model."
    )
    return Group(Text(f"\n{said}", "dim"), Sheet("", "model", list(map(Text, heads)), [("", rows)]))


def protocols_page(found: ByProtocol) -> Group:
    """Slopes told apart by protocol, in odds ratios, and whether they differ."""
    groups: dict[str, list[Named]] = {}
    for name, row in found.fit.table().iterrows():
        term, group = str(name).rstrip("]").split("[", 1)
        model, protocol = group.rsplit(", ", 1)
        figures = [_number(row[one], 2) for one in ("odds_ratio", "odds_low", "odds_high")]
        groups.setdefault(f"{term}[{model}]", []).append((protocol, figures))
    heads = [Text("odds ratio"), Text("[0.025"), Text("0.975]")]
    said = "By protocol, in one fit (– where a protocol does not identify the slope)."
    return Group(
        Text(f"\n{said}", "dim"),
        Sheet("slope", "protocol", heads, list(groups.items())),
        Text(f"{found.interaction}", "bold"),
    )


def _number(value: float, digits: int) -> Text:
    return Text(f"{value:,.{digits}f}") if np.isfinite(value) else Text("–")


def _probability(p: float) -> Text:
    if not np.isfinite(p):
        return Text("–")
    return Text("<0.001") if p < 0.001 else Text(f"{p:.3f}")
