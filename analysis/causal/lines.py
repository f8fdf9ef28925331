"""Estimates as lines of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from analysis.causal.kept import Shares
from analysis.causal.quantities import BY_NAME
from analysis.estimates import ONE_CASE
from analysis.model.fit import LEVEL, Fit

COLUMNS = (
    *("term", "model", "heard", "quantity", "arm", "scale", "designed"),
    *("estimate", "se", "low", "high", "p"),
    *("numerator", "denominator", "against_numerator", "against_denominator"),
    *("cases", "unreadable", "failed", "reason"),
)
"""The columns of the table of the arms.

`term` is a slope of Eq. 2, `heard` how many confederates were heard at once (0 where none is). `estimate`
with its 95% interval is in probability or log-odds, as `scale` says; null with a `reason`. For a share
numerator and denominator are counts, for a difference those of both sides; for log-odds the denominator is
how many verdicts (within conversations: runs of verdicts) tell of it, the numerator null. `unreadable`
verdicts and `failed` debates are in none of them.
"""

REACH = float(stats.norm.ppf((1 + LEVEL) / 2))

Line = dict[str, Any]


def line(
    quantity: str,
    term: str,
    model: str,
    estimate: float,
    *,
    se: float = np.nan,
    ends: tuple[float, float] | None = None,
    **others: Any,
) -> Line:
    """A line of the table. Without `ends` the interval is that of a normal estimate with this `se`."""
    known = BY_NAME[quantity]
    low, high = ends or (estimate - REACH * se, estimate + REACH * se)
    about = {"term": term, "model": model, "heard": 0, "quantity": quantity, "arm": known.arm}
    told = {"scale": known.scale, "designed": known.designed, "estimate": estimate, "se": se}
    return {**about, **told, "low": low, "high": high, **others}


def of_shares(
    names: tuple[str, str, str], term: str, model: str, found: Shares, p: float = np.nan, **others: Any
) -> Iterator[Line]:
    """The lines of a share, of what it is set against, and of their difference, by these names."""
    counts = [
        {"numerator": above, "denominator": below}
        for above, below in zip(found.numerator, found.denominator, strict=True)
    ]
    both = {**counts[0], **{f"against_{name}": count for name, count in counts[1].items()}}
    told = [(name, Line(rests)) for name, rests in zip(names, (*counts, both), strict=True)]
    for place, (name, rests) in enumerate(told):
        empty = [one for one in (rests["denominator"], rests.get("against_denominator", 1)) if not one]
        reason = "nothing to compare with" if empty else ONE_CASE if np.isnan(found.low[place]) else ""
        ends = (float(found.low[place]), float(found.high[place]))
        own = {"p": p} if place == 2 else {}
        rest = Line({**rests, **own, "cases": found.cases, "reason": reason, **others})
        yield line(name, term, model, float(found.estimate[place]), ends=ends, **rest)


def of_fit(quantity: str, term: str, model: str, found: Fit, **others: Any) -> Line | None:
    """The line of a slope of a fit; none where the fit does not know the model."""
    name = f"{term}[{model}]"
    if name not in found.names:
        return None
    row, rows = found.table().loc[name].to_dict(), found.rows
    own = rows.model == rows.models.index(model)
    rests = {"denominator": int(own.sum()), "cases": len(np.unique(rows.case[own]))}
    reason = "" if np.isfinite(row["coef"]) else "not identified"
    told = Line({"p": float(row["p"]), **rests, "reason": reason, **others})
    return line(quantity, term, model, float(row["coef"]), se=float(row["se"]), **told)


def frame(lines: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """The lines as a table with `COLUMNS`."""
    counts = ["numerator", "denominator", "against_numerator", "against_denominator", "cases"]
    nothing = {"heard": 0, "unreadable": 0, "failed": 0, "reason": ""}
    told = pd.DataFrame([{**nothing, **one} for one in lines], columns=list(COLUMNS))
    kinds = dict.fromkeys(counts, "Int64") | dict.fromkeys(["estimate", "se", "low", "high", "p"], "float64")
    return told.astype(kinds)
