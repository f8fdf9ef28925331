"""Does a model say again what it said? First verdicts of the same seat on the same case, over repetitions."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimates import Terms, estimated
from analysis.model.features import SEQUENTIAL
from analysis.replication.repetitions import Repetition
from analysis.tally import CONDITION, groups


def repeated(found: Sequence[Repetition]) -> pd.DataFrame:
    """The share of pairs of repetitions in which a model's verdict of round 1 is the same, by model.

    Only verdicts given before anything was heard: all of synchronous debates, those of the first speaker
    elsewhere. Columns: model, then those of `analysis.estimates`, numerator and denominator being pairs.
    """
    turns = pd.concat([one.turns for one in found], ignore_index=True)
    alone = (turns["round"] == 1) & (~turns["protocol"].isin(SEQUENTIAL) | (turns["position"] == 1))
    first = turns[alone & ~turns["opening"] & turns["label"].notna()]
    seat = [*CONDITION, "case_id", "seat", "model"]
    counts = first.astype(dict.fromkeys([*seat, "label"], "str")).groupby([*seat, "label"]).size()
    pairs = counts * (counts - 1) // 2
    alike = pairs.groupby(["model", "case_id"]).sum()
    said = counts.groupby(seat).sum()
    every = (said * (said - 1) // 2).groupby(["model", "case_id"]).sum()
    same, all_pairs = (one.rename("count").reset_index() for one in (alike, every))
    grid = groups(["model"], all_pairs).sort_values("model")
    none = "no first verdict on the same case in two repetitions"
    return estimated(grid, Terms(same, ["model"]), Terms(all_pairs, ["model"]), empty=none)
