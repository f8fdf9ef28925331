"""What would refute the paper's ranking: that gpt changes its verdict as often as claude does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.estimates import COLUMNS, Terms, estimated
from analysis.model.observed import observed
from analysis.model.outcomes import outcomes
from analysis.replication.repetitions import Repetition
from analysis.tally import groups

PAIR = ("claude", "gpt")


KEYS = ("repetition", "model")


def changes(found: Sequence[Repetition], models: Mapping[str, str], labels: tuple[str, ...]) -> pd.DataFrame:
    """Change of verdict of claude and gpt in synchronous debates with each other, by repetition.

    Columns: repetition; model, by the paper's name; those of `analysis.estimates`; overlap, whether the
    Wilson intervals of the two overlap in that repetition. Without rows where one of the two is missing, or
    they never sit together.
    """
    own = {models[model]: model for model in PAIR if model in models}
    counted = [rows for one in found for rows in _counted(one, own, labels)] if len(own) == len(PAIR) else []
    if not counted:
        return pd.DataFrame(columns=[*KEYS, *COLUMNS, "overlap"])
    rows = pd.concat(counted, ignore_index=True)
    debates = Terms(rows.assign(count=1), KEYS)
    told = estimated(groups(KEYS, rows), Terms(rows, KEYS), debates)
    wide = told.pivot(index="repetition", columns="model", values=["wilson_low", "wilson_high"])
    low, high = wide["wilson_low"], wide["wilson_high"]
    overlap = (low["gpt"] <= high["claude"]) & (low["claude"] <= high["gpt"])
    return told.assign(overlap=told["repetition"].map(overlap))


def _counted(one: Repetition, own: Mapping[str, str], labels: tuple[str, ...]) -> Iterator[pd.DataFrame]:
    """The debates of the two with each other, for each seat: repetition, model, case_id, count of changes."""
    plan, verdicts = observed(one.turns, labels)
    names = np.array(plan.cases, dtype=object)
    for of in outcomes(plan, verdicts):
        if of.seat is None or not len(of.debates):
            continue
        first = of.debates[0]
        panel = [plan.models[model] for model in plan.model[first] if model >= 0]
        if plan.protocols[plan.protocol[first]] == "synchronous" and sorted(panel) == sorted(own):
            keys = {"repetition": one.name, "model": own[panel[of.seat]]}
            cases = names[plan.case[of.debates]]
            yield pd.DataFrame({**keys, "case_id": cases, "count": of.flags.astype(np.int64)})
