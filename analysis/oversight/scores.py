"""The score of an instance: what judges make of all that was played of it under one condition.

An instance may have several transcripts under one condition, as a debate of fixed stances has one for each
way to give the stances out, and a judge may read each in several passes. The score is the mean over the
transcripts that there are of the mean over the passes that there are. So every judgment has a weight, those
of an instance sum to 1, and all estimates are sums of weights: exact, in units of 1 / `grain`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.estimates import Terms, estimated, lookup


@dataclass(frozen=True)
class Scored:
    """Judgments with weights, told apart by `keys`.

    `rows` are the judgments with `count`, the weight in units of 1 / `grain`. `instances` has a row for each
    instance of each condition: `keys`, instance, case_id, `count` (1), `judgments` (how many it has).
    """

    rows: pd.DataFrame
    instances: pd.DataFrame
    keys: tuple[str, ...]
    grain: int

    def estimate(
        self, grid: pd.DataFrame, event: pd.Series[bool], told: Sequence[str], lost: pd.DataFrame, empty: str
    ) -> pd.DataFrame:
        """`grid` with the mean weight of the judgments in an event, in the columns of `estimates.estimated`.

        The event is told by the columns `told` beyond the keys. Where each instance has one judgment the mean
        is a proportion and has Wilson's interval. `unreadable` are judgments, which do not leave the
        denominator; `failed` is what has no score, from `lost`.
        """
        happened = self.rows[event.to_numpy()]
        unreadable = Terms(self.rows[~self.rows["readable"]].assign(count=1), self.keys)
        parts = []
        for single, own in self.parted(grid):
            grain = 1 if single else self.grain
            above = happened.assign(count=happened["count"] // (self.grain // grain))
            parts.append(
                estimated(
                    own,
                    Terms(above, [*self.keys, *told]),
                    Terms(self.instances, self.keys),
                    unreadable,
                    Terms(lost, self.keys),
                    empty,
                    None if single else grain,
                ).set_index(own.index)
            )
        return pd.concat(parts).sort_index().reset_index(drop=True)

    def parted(self, grid: pd.DataFrame) -> list[tuple[bool, pd.DataFrame]]:
        """The rows of a grid of which all instances have one judgment, and the others; none that is empty."""
        whole = grid.reset_index(drop=True)
        distinct = whole[list(self.keys)].drop_duplicates()
        repeated = self.instances[self.instances["judgments"] > 1]
        several = np.zeros(len(distinct) + 1, bool)
        several[lookup(repeated, distinct, self.keys)] = True
        single = ~several[lookup(whole, distinct, self.keys)]
        return [(of, whole[single == of]) for of in (True, False) if (single == of).any() or of]


def scored(judged: pd.DataFrame, keys: Sequence[str], pooled: bool = False) -> Scored:
    """The weights of judgments of which the truth is known, in the conditions told by `keys`.

    With `pooled` every judgment counts for one, as an instance of its own: the average over transcripts,
    which differs from that over instances where one of several transcripts failed.
    """
    rows = judged.assign(instance=judged["debate_id"]) if pooled else judged
    unit = [*keys, "instance"]
    transcript = rows.groupby([*unit, "source_debate"], observed=True, sort=False)
    passes = transcript["debate_id"].transform("size").to_numpy(np.int64)
    unit_of = rows.groupby(unit, observed=True, sort=False)
    transcripts = unit_of["source_debate"].transform("nunique").to_numpy(np.int64)
    by_pass, by_transcript = _multiple(passes), _multiple(transcripts)
    weight = (by_pass // passes) * (by_transcript // transcripts)
    instances = unit_of.agg(case_id=("case_id", "first"), judgments=("debate_id", "size")).reset_index()
    return Scored(rows.assign(count=weight), instances.assign(count=1), tuple(keys), by_pass * by_transcript)


def _multiple(counts: np.ndarray) -> int:
    """The least whole number that all counts divide."""
    return int(np.lcm.reduce(np.unique(counts), initial=1))
