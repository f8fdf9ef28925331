"""Debates that were had, in the form in which debates are simulated."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.model.features import SEQUENTIAL
from analysis.model.plan import Plan
from analysis.model.rows import Ints
from analysis.model.simulate import Verdicts


def observed(turns: pd.DataFrame, labels: tuple[str, ...]) -> tuple[Plan, Verdicts]:
    """The plan of the debates in `turns` and their verdicts, -1 where unreadable.

    `turns` has the columns of `features.COLUMNS`. Where all seats speak at the same time they stand in the
    order of their models: which was shown first is no part of the condition. Debates that go on from another
    are left out: they did not begin as the protocol has it. The greatest round of any debate is taken for the
    last that was allowed.
    """
    opening = turns["opening"].eq(True)
    turns = turns[~turns["debate_id"].isin(turns.loc[opening, "debate_id"].unique())]
    debate, first = pd.factorize(turns["debate_id"])
    position = turns["position"].to_numpy(np.int64) - 1
    round = turns["round"].to_numpy(np.int64) - 1
    shape = (len(first), int(round.max(initial=0)) + 1, int(position.max(initial=0)) + 1)
    verdicts = np.full(shape, -1, np.int8)
    verdicts[debate, round, position] = pd.Index(labels).get_indexer(pd.Index(turns["label"]))

    def per_debate(column: str) -> tuple[Ints, tuple[str, ...]]:
        codes, names = _coded(turns[column])
        of_debate = np.zeros(len(first), np.int64)
        of_debate[debate] = codes
        return of_debate, names

    case, cases = per_debate("case_id")
    protocol, protocols = per_debate("protocol")
    model = np.full((shape[0], shape[2]), -1, np.int64)
    model[debate, position], models = _coded(turns["model"])
    together = ~np.isin(protocols, SEQUENTIAL)[protocol]
    seats = np.argsort(np.where(model < 0, len(models), model), axis=1, kind="stable")
    seats = np.where(together[:, None], seats, np.arange(shape[2]))
    model = np.take_along_axis(model, seats, axis=1)
    verdicts = np.take_along_axis(verdicts, seats[:, None, :], axis=2)
    limit, stops = np.full(len(first), shape[1], np.int64), np.ones(len(first), bool)
    return Plan(case, model, protocol, limit, stops, cases, models, protocols), verdicts


def _coded(column: pd.Series[str]) -> tuple[Ints, tuple[str, ...]]:
    """Each value by its place among the sorted names, and these."""
    names, codes = np.unique(column.to_numpy(str), return_inverse=True)
    return codes.astype(np.int64), tuple(map(str, names))
