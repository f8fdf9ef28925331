"""What the slopes of a fit rest on: how many verdicts follow what was heard before, and how many not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.model.features import NothingToFit
from analysis.model.rows import TERMS, Rows

FEW = 10
"""Verdicts that follow, or do not, below which a slope says little."""

HEARD = {
    "alpha": "their own last verdict",
    "gamma_prev": "a verdict of others in earlier rounds",
    "gamma_within": "a verdict heard in the same round",
}
"""What verdicts follow, or do not, for each term."""

MISSING = {
    "alpha": "no readable verdict follows one of the same seat: every debate ended in round 1",
    "gamma_prev": "nobody answered after a round of others: every debate ended in round 1",
    "gamma_within": "nobody heard another in the same round, for which seats speak in turn (round_robin)",
}
"""Why a term may be identified for no model."""


def support(rows: Rows) -> pd.DataFrame:
    """One row for each term and model: term; model; verdicts that had something to follow; follow; differ."""
    told = []
    for term, x in zip(TERMS, rows.x, strict=True):
        some, follow = x.sum(axis=0) > 0, (x * rows.given()).sum(axis=0) > 0
        for place, model in enumerate(rows.models):
            own = some & (rows.model == place)
            told.append((term, model, int(own.sum()), int((own & follow).sum()), int((own & ~follow).sum())))
    return pd.DataFrame(told, columns=["term", "model", "verdicts", "follow", "differ"])


def refuse(rows: Rows) -> None:
    """Raises `NothingToFit` where no slope can be estimated at all, or no error clustered by case."""
    cases, labels = len(np.unique(rows.case)), len(np.unique(rows.y))
    if cases < 2:
        raise NothingToFit("all debates are of one case; errors are clustered by case, which takes several")
    if labels < 2:
        raise NothingToFit(
            f"all {len(rows):,} verdicts are {rows.labels[rows.y[0]]}: there is no change to fit"
        )
    if not support(rows)[["follow", "differ"]].min(axis=1).any():
        raise NothingToFit(
            f"of {len(rows):,} verdicts none departs from what came before it while another follows it: no"
            " seat changed its verdict after a disagreement, and nobody was heard within a round"
        )


def thin(rows: Rows) -> Iterator[str]:
    """Sentences on the slopes that rest on nothing, or on few verdicts."""
    found = support(rows)
    for term, own in found.groupby("term", sort=False):
        if not own["verdicts"].any():
            yield f"{term} is not identified: {MISSING[str(term)]}."
            continue
        for row in own.to_dict("records"):
            count, least = row["verdicts"], min(row["follow"], row["differ"])
            if not count:
                yield f"{term}[{row['model']}] is not identified: no verdict could follow {HEARD[str(term)]}."
            elif least < FEW:
                said = "follow" if row["follow"] == least else "do not follow"
                yield (
                    f"{term}[{row['model']}] rests on little: of {count:,} verdicts {least} {said}"
                    f" {HEARD[str(term)]}."
                )
    if len(rows.models) == 1:
        yield f"There is one model, {rows.models[0]}: nothing tells models apart."
