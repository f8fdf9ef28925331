"""The re-ask arm: each seat is asked again and again, and hears nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.causal.arms import NONE, ReAsked
from analysis.model.reading import steered
from analysis.model.rows import Ints


def reasked(
    turns: pd.DataFrame, labels: Sequence[str], failed: pd.DataFrame
) -> tuple[ReAsked | None, list[str]]:
    """The conversations in `turns`, those of `reading.READ`, with what was left out in words.

    The seats of one debate never hear each other, so each is a conversation of its own.
    """
    if turns.empty:
        return None, []
    turns, note = steered(turns)
    conversation, first = _conversations(turns)
    code = pd.Index(labels).get_indexer(pd.Index(turns["label"])).astype(np.int64)
    said = np.full((len(first), int(turns["round"].max())), NONE, np.int64)
    said[conversation, turns["round"].to_numpy(np.int64) - 1] = code
    cases, models = sorted(set(first["case_id"])), sorted(set(first["model"]))
    return ReAsked(
        debate=pd.factorize(first["debate_id"])[0].astype(np.int64),
        said=said,
        case=pd.Index(cases).get_indexer(pd.Index(first["case_id"])).astype(np.int64),
        model=pd.Index(models).get_indexer(pd.Index(first["model"])).astype(np.int64),
        labels=tuple(labels),
        cases=tuple(cases),
        models=tuple(models),
        unreadable=Counter(turns["model"][code == NONE]),
        failed=Counter(model for panel in failed["panel"] for model in str(panel).split("+")),
    ), [f"Asked again: {note}"] if note else []


def _conversations(turns: pd.DataFrame) -> tuple[Ints, pd.DataFrame]:
    """The number of the conversation of each turn, and a row for each: its case_id, model, debate_id."""
    group = turns.groupby(["debate_id", "seat"], observed=True, sort=False)
    first = group[["case_id", "model"]].first().astype("str").reset_index()
    return np.asarray(group.ngroup(), np.int64), first
