"""What a run took: debates, judgments, calls, tokens and money, as a whole and by model."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa

from analysis.failures import failed, failed_judgments
from analysis.tally import DESIGN, pick, tally

TOKENS = ("prompt_tokens", "cached_tokens", "completion_tokens")
DEBATE_COLUMNS = ("debate_id", *DESIGN, "outcome", "calls", *TOKENS, "cost_usd")
"""What is read of `debates`."""
REPLY_COLUMNS = ("debate_id", "model", "finish_reason", *TOKENS, "cost_usd")
"""What is read of `replies`."""

_DEBATE_SUMS = ("debates", "judgments", "calls", *TOKENS, "cost_usd")
_REPLY_SUMS = ("calls", "cut_off", *TOKENS, "cost_usd")

_PICO = 10**12
"""Money is added up in whole pico-dollars, so that sums are exact in any order."""


def count_debates(rows: pa.Table) -> pa.Table:
    """Tallies finished debates by design, and sums what they and the judgments of them took."""
    ended: pd.DataFrame = rows.to_pandas()
    judged = ended["outcome"] == "judgment"
    cases = tally("played", ended.loc[~judged, list(DESIGN)])
    sums = _sums("debates", ended.assign(model="", debates=~judged, judgments=judged), _DEBATE_SUMS)
    return pa.concat_tables([cases, sums])


def count_replies(rows: pa.Table) -> pa.Table:
    """Sums by model what the replies of finished debates and judgments took."""
    replies: pd.DataFrame = rows.to_pandas()
    ended = replies["finish_reason"].astype("object")
    cut_off = (ended == "length").astype("float64").where(ended.notna())
    return _sums("replies", replies.assign(calls=1, cut_off=cut_off), _REPLY_SUMS)


def played(tallies: pa.Table) -> pd.DataFrame:
    """The finished debates of every protocol: the columns `DESIGN`, and count."""
    return pick(tallies, "played")[[*DESIGN, "count"]]


def estimate(tallies: pa.Table) -> pd.DataFrame:
    """One row for the run.

    Columns: debates (finished), cases, failed (debates), judgments (finished), failed_judgments; calls, the
    three `TOKENS`, cost_usd, of debates and judgments together. `cases` are the distinct ones that the
    finished debates are about. A sum is null where one of its terms is unknown.
    """
    total = _wide(pick(tallies, "debates"), _DEBATE_SUMS, [""]).drop(columns="model")
    total.insert(1, "cases", played(tallies)["case_id"].nunique())
    total.insert(2, "failed", failed(tallies)["count"].sum())
    total.insert(4, "failed_judgments", failed_judgments(tallies)["count"].sum())
    return total


def estimate_models(tallies: pa.Table) -> pd.DataFrame:
    """One row per model: model, calls, cut_off, cut_off_share, the three `TOKENS`, cost_usd.

    `cut_off` counts the replies that ended at max_tokens (finish_reason "length"), `cut_off_share` is
    their share of the calls, from 0 to 1. A reply that was cut off after its verdict is readable, so
    these say more than the status "truncated". Null as in `estimate`.
    """
    rows = pick(tallies, "replies")
    by_model = _wide(rows, _REPLY_SUMS, sorted(rows["model"].unique()))
    by_model.insert(3, "cut_off_share", by_model["cut_off"].astype("Float64") / by_model["calls"])
    return by_model


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
