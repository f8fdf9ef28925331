"""Repetitions of one design against each other and the paper: everything `moot replicate` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.model.convention import DEFAULT, PAPER, Convention
from analysis.model.features import NothingToFit, rows_of
from analysis.model.fit import Fit, fit
from analysis.model.reading import labels_of
from analysis.model.support import refuse
from analysis.replication.across import across
from analysis.replication.agreement import repeated
from analysis.replication.criterion import Judged, equivalent, literal
from analysis.replication.falsifier import changes
from analysis.replication.repetitions import Repetition
from analysis.replication.table1 import MAIN, matched
from analysis.replication.variance import cells, decomposed, nested, outcome_table


@dataclass(frozen=True, slots=True)
class Fitted:
    """The fits of all repetitions by one estimator and convention, and what they say together.

    `slopes` is as `across` tells them; `rule` the literal rule, `decision` that by equivalence, both null
    where none of the paper's three models is there.
    """

    fits: Sequence[Fit]
    slopes: pd.DataFrame
    rule: Judged | None
    decision: Judged | None


@dataclass(frozen=True, slots=True)
class Replication:
    """Repetitions of one design; `models` says which of the runs' models stands for which of the paper's.

    `own` are the fits as they were asked for, `as_paper` those by the paper's estimator and convention, to
    which its Table 1 compares. The frames are told where they are made: `falsifier` in `falsifier.changes`,
    `variance` in `variance.decomposed`, `levels` in `variance.nested`, `agreement` in `agreement.repeated`.
    """

    repetitions: Sequence[Repetition]
    models: Mapping[str, str]
    own: Fitted
    as_paper: Fitted
    falsifier: pd.DataFrame
    variance: pd.DataFrame
    levels: pd.DataFrame
    agreement: pd.DataFrame


def replicate(
    found: Sequence[Repetition],
    given: Mapping[str, str],
    estimator: str = "re",
    convention: Convention = DEFAULT,
) -> Replication:
    """Fits every repetition alone, and puts the fits together.

    `given` maps the paper's models to those of the runs. Raises `UnknownModel`, or `NothingToFit` naming the
    repetition that the model has nothing to say of.
    """
    models = matched(tuple(sorted(found[0].models)), given)
    labels = labels_of(pd.concat([one.turns[["label"]].astype("str") for one in found]))
    own = _fitted(found, models, labels, estimator, convention)
    same = (estimator, convention) == ("paper", PAPER)
    of = cells(outcome_table(found, labels), len(found))
    return Replication(
        repetitions=found,
        models=models,
        own=own,
        as_paper=own if same else _fitted(found, models, labels, "paper", PAPER),
        falsifier=changes(found, models, labels),
        variance=decomposed(of),
        levels=nested(of),
        agreement=repeated(found),
    )


def _fitted(
    found: Sequence[Repetition],
    models: Mapping[str, str],
    labels: tuple[str, ...],
    estimator: str,
    convention: Convention,
) -> Fitted:
    fits = [_fit(one, labels, estimator, convention) for one in found]
    slopes = across(fits)
    if not set(MAIN) & set(models):
        return Fitted(fits, slopes, None, None)
    rule = literal([one.name for one in found], [one.table() for one in fits], models)
    return Fitted(fits, slopes, rule, equivalent(slopes, models, rule))


def _fit(one: Repetition, labels: tuple[str, ...], estimator: str, convention: Convention) -> Fit:
    try:
        rows = rows_of(one.turns, convention, labels)
        refuse(rows)
    except NothingToFit as lacks:
        raise NothingToFit(f"repetition {one.name}: {lacks}") from None
    return fit(rows, estimator)
