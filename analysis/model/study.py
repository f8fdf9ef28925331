"""All that a report says of inertia and conformity: fits by several estimators, and tests of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.model.calibration import by_decile, by_round
from analysis.model.convention import PAPER
from analysis.model.features import NothingToFit, rows_of
from analysis.model.fit import Fit, fit
from analysis.model.heterogeneity import contrast, own_leanings
from analysis.model.nested import by_wald
from analysis.model.predictive import NoCases, predictive
from analysis.model.protocols import ByProtocol, by_protocol
from analysis.model.reading import labels_of, steered
from analysis.model.rows import Rows
from analysis.model.support import refuse, support, thin
from analysis.model.wald import Test

SIDE_BY_SIDE = ("re", "fe", "l2", "paper", "pairwise", "pairwise_same_model")
"""The estimators of the comparison; `paper` with the paper's convention, the others with the default."""

PAIRS = ("pairwise", "pairwise_same_model")

MOST_PAIRS = 3_000_000
"""Pairs of verdicts up to which a report has the estimators from pairs, whose time goes with their number."""


@dataclass(frozen=True, slots=True)
class Study:
    """The fits of a run, and what they were tested for.

    `notes` say what is missing or left out. `fits` has those of `SIDE_BY_SIDE` that could be had. `tests` is
    as `nested.by_wald` has it. `protocols` is null for a run of one protocol, `leanings` (by likelihood
    ratio) and `pairs` (by contrast) for one of one model; the latter also where there are too many pairs.
    `predictive` is the reason where no debate can be played by the fit.
    """

    notes: Sequence[str]
    support: pd.DataFrame
    fits: Mapping[str, Fit]
    tests: pd.DataFrame
    protocols: ByProtocol | None
    leanings: Test | None
    pairs: Test | None
    predictive: pd.DataFrame | str
    deciles: pd.DataFrame
    rounds: pd.DataFrame

    @property
    def main(self) -> Fit:
        """The fit by the default estimator."""
        return self.fits["re"]


def study(turns: pd.DataFrame) -> Study:
    """Fits and tests of the debates of a run (`reading.read_debates`), or of those of the usual steering.

    Raises `NothingToFit`.
    """
    if turns.empty:
        raise NothingToFit("there is no finished debate of two seats or more in which seats hear each other")
    turns, note = steered(turns)
    labels = labels_of(turns)
    rows = rows_of(turns, labels=labels)
    refuse(rows)
    some = few_pairs(rows)
    told = "" if some else f"{', '.join(PAIRS)} are left out: more than {MOST_PAIRS:,} pairs; see moot fit."
    as_paper = rows_of(turns, PAPER, labels)
    fits = {
        name: fit(as_paper if name == "paper" else rows, name)
        for name in SIDE_BY_SIDE
        if some or name not in PAIRS
    }
    main, several = fits["re"], len(rows.models) > 1
    return Study(
        notes=[*filter(None, [note, told]), *thin(rows)],
        support=support(rows),
        fits=fits,
        tests=by_wald(main),
        protocols=by_protocol(rows) if len(np.unique(rows.protocol)) > 1 else None,
        leanings=own_leanings(main).test if several else None,
        pairs=contrast(fits["pairwise"], fits["pairwise_same_model"]) if several and some else None,
        predictive=_predicted(main, turns),
        deciles=by_decile(main),
        rounds=by_round(main),
    )


def _predicted(main: Fit, turns: pd.DataFrame) -> pd.DataFrame | str:
    """The debates beside those drawn from the fit, or why none can be drawn."""
    try:
        return predictive(main, turns)
    except NoCases as lacks:
        return str(lacks)


def few_pairs(rows: Rows) -> bool:
    """Whether the verdicts make no more than `MOST_PAIRS` pairs that differ on a case."""
    given = np.zeros((len(rows.cases), len(rows.labels)))
    np.add.at(given, (rows.case, rows.y), 1)
    return bool((given.sum(axis=1) ** 2 - (given**2).sum(axis=1)).sum() / 2 <= MOST_PAIRS)
