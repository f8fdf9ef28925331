"""What a run took: calls, tokens and money, as a whole and by model."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.failures import failed
from analysis.tally import pick, tally

TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens")
DEBATE_COLUMNS = ("debate_id", "calls", *TOKENS, "cost_usd")
"""What is read of `debates`."""
REPLY_COLUMNS = ("debate_id", "model", *TOKENS, "cost_usd")
"""What is read of `replies`."""

_PICO = 10**12
"""Money is added up in whole pico-dollars, so that sums are exact in any order."""


def count_debates(rows: pa.Table) -> pa.Table:
    """Tallies finished debates, and sums what they took."""
    return _sums("debates", rows.to_pandas().assign(model="", debates=1), ("debates", *DEBATE_COLUMNS[1:]))


def count_replies(rows: pa.Table) -> pa.Table:
    """Sums by model what the replies of finished debates took."""
    return _sums("replies", rows.to_pandas().assign(calls=1), ("calls", *TOKENS, "cost_usd"))


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """One row for the run: debates (finished), failed, calls, the three `TOKENS`, cost_usd.

    A sum is null where one of its terms is unknown.
    """
    total = _wide(pick(tallies, "debates"), ("debates", *DEBATE_COLUMNS[1:]), [""]).drop(columns="model")
    total.insert(1, "failed", failed(tallies)["count"].sum())
    return total


def estimate_models(tallies: pa.Table) -> pd.DataFrame:
    """One row per model: model, calls, the three `TOKENS`, cost_usd; null as in `estimate`."""
    rows = pick(tallies, "replies")
    return _wide(rows, ("calls", *TOKENS, "cost_usd"), sorted(rows["model"].unique()))


def _sums(measure: str, rows: pd.DataFrame, columns: Sequence[str]) -> pa.Table:
    """Tallies of the sum of each column by model, and of its unknown terms as "unknown <column>"."""
    terms = rows.assign(cost_usd=(rows["cost_usd"] * _PICO).round())[list(columns)]
    known = terms.fillna(0).astype("int64").join(terms.isna().add_prefix("unknown "))
    added = known.groupby(rows["model"], observed=True, dropna=False).sum()
    return tally(measure, added.reset_index().melt(id_vars="model", var_name="item", value_name="count"))


def _wide(rows: pd.DataFrame, columns: Sequence[str], models: Sequence[str]) -> pd.DataFrame:
    """One row per model with a column for each sum, null where a term of it is unknown."""
    items = [*columns, *(f"unknown {name}" for name in columns)]
    sums = rows.pivot(index="model", columns="item", values="count")
    sums = sums.reindex(index=pd.Index(models, name="model"), columns=items, fill_value=0).astype("Int64")
    wide = pd.DataFrame({name: sums[name].mask(sums[f"unknown {name}"] > 0) for name in columns})
    return wide.assign(cost_usd=wide["cost_usd"].astype("Float64") / _PICO).reset_index()
