"""Where outcomes vary: between conditions, between cases, or between repetitions of one case.

With x of case d in repetition k (0 or 1): the variance within is the mean square within cases, that between
is (mean square between cases - mean square within) / R, and ICC their share that is between. Both are 0 where
they would come out below.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.bootstrap import Floats, intervals, ratio
from analysis.model.observed import observed
from analysis.model.outcomes import CHANGE, outcomes
from analysis.model.rows import Ints
from analysis.replication.repetitions import Repetition

COLUMNS = (
    "condition",
    "quantity",
    "cases",
    "repetitions",
    "share",
    "between",
    "within",
    "icc",
    "low",
    "high",
)
POOLED = "all conditions"


def outcome_table(found: Sequence[Repetition], labels: tuple[str, ...]) -> pd.DataFrame:
    """One row for each debate and quantity: condition, quantity, case_id, repetition (its place), happened.

    Debates that go on from others are left out: their ends are not independent of those of the first.
    """
    told = []
    for number, one in enumerate(found):
        plan, verdicts = observed(one.turns, labels)
        names = np.array(plan.cases, dtype=object)
        for of in outcomes(plan, verdicts):
            keys = {"condition": of.condition, "quantity": of.quantity, "repetition": number}
            told.append(pd.DataFrame({**keys, "case_id": names[plan.case[of.debates]], "happened": of.flags}))
    return pd.concat(told, ignore_index=True)


def decomposed(table: pd.DataFrame, count: int) -> pd.DataFrame:
    """The variance of each quantity in each condition, over the cases that have all `count` repetitions.

    `COLUMNS`: cases; share, the mean; between and within, of a single debate; icc with its 95% interval by
    bootstrap over cases, null where nothing varies.
    """
    found = {key: _complete(own, count) for key, own in table.groupby(["condition", "quantity"], sort=True)}
    cases = sorted(set().union(*(sums.index for sums, _ in found.values())))
    terms = [_terms(sums.reindex(cases), count) for sums, _ in found.values()]
    of_sums = [np.stack(term, axis=1) for term in zip(*terms, strict=True)]
    n, total, squared, squares = (term.sum(axis=0) for term in of_sums)
    between, within = _parts(count, n, total, squared, squares)
    low, high = intervals(lambda *drawn: _icc(*_parts(count, *drawn)), *of_sums)
    icc = _icc(between, within)
    each = np.array([size for _, size in found.values()])
    keys = pd.DataFrame(list(found), columns=["condition", "quantity"])
    return keys.assign(
        cases=n,
        repetitions=count,
        share=ratio(total, n * count * each),
        between=between / each**2,
        within=within / each**2,
        icc=icc,
        low=np.where(np.isfinite(icc), low, np.nan),
        high=np.where(np.isfinite(icc), high, np.nan),
    )[list(COLUMNS)]


def nested(table: pd.DataFrame, count: int) -> pd.DataFrame:
    """The variance of each kind of quantity as shares: of conditions, of cases in them, of repetitions.

    Over the cases that have all repetitions in all conditions. One row for each kind: quantity; conditions;
    cases; condition, case, repetition, which add up to 1, null where nothing varies.
    """
    kinds = table["quantity"].where(~table["quantity"].str.startswith(CHANGE), CHANGE)
    told = []
    for kind, own in table.groupby(kinds, sort=True):
        parts = [_complete(part, count) for _, part in own.groupby(["condition", "quantity"], sort=True)]
        shared = sorted(set.intersection(*(set(sums.index) for sums, _ in parts)))
        x = np.stack([sums.loc[shared].to_numpy(float) / each for sums, each in parts])
        told.append((kind, len(parts), len(shared), *_shares(x)))
    return pd.DataFrame(told, columns=["quantity", "conditions", "cases", "condition", "case", "repetition"])


def _complete(own: pd.DataFrame, count: int) -> tuple[pd.DataFrame, int]:
    """Cases by repetitions: how often it happened, in so many debates each; only cases that have them all."""
    cells = own.groupby(["case_id", "repetition"])["happened"].agg(["sum", "size"])
    sums, sizes = (
        cells[name].unstack("repetition").reindex(columns=range(count)) for name in ("sum", "size")
    )
    each = int(cells["size"].max())
    whole = (sizes == each).all(axis=1)
    return sums[whole].astype("int64"), each


def _terms(sums: pd.DataFrame, repetitions: int) -> tuple[Ints, Ints, Ints, Ints]:
    """What each case adds to the sums that `_parts` takes; nothing where it lacks repetitions."""
    there = np.asarray(sums.notna().all(axis=1), np.int64)
    x = sums.fillna(0).to_numpy(np.int64)
    total = x.sum(axis=1)
    return there, total, total**2, repetitions * (x**2).sum(axis=1) - total**2


def _parts(
    repetitions: int, cases: Floats, total: Floats, squared: Floats, squares: Floats
) -> tuple[Floats, Floats]:
    """The variances between and within, from sums over cases.

    `total` is the sum of x, `squared` that of the squared totals of cases, `squares` that of R times the
    squared distances from the mean of the case.
    """
    within = ratio(squares / repetitions, cases * (repetitions - 1))
    mean_square = ratio((squared - ratio(total**2, cases)) / repetitions, np.maximum(cases - 1, 0))
    return np.maximum(mean_square - within, 0) / repetitions, within


def _icc(between: Floats, within: Floats) -> Floats:
    return ratio(between, between + within)


def _shares(x: Floats) -> tuple[float, float, float]:
    """The shares of the three axes of x in its variance: conditions, cases and repetitions."""
    conditions, cases, repetitions = x.shape
    if cases < 2:
        return np.nan, np.nan, np.nan
    of_case, of_condition = x.mean(axis=2), x.mean(axis=(1, 2))
    within = float(((x - of_case[..., None]) ** 2).sum()) / (conditions * cases * (repetitions - 1))
    square = ((of_case - of_condition[:, None]) ** 2).sum() * repetitions / (conditions * (cases - 1))
    between = max(float(square) - within, 0.0) / repetitions
    if conditions > 1:
        spread = ((of_condition - x.mean()) ** 2).sum() * cases * repetitions / (conditions - 1)
        condition = max(float(spread - square), 0.0) / (cases * repetitions)
    else:
        condition = 0.0
    whole = condition + between + within
    if whole == 0:
        return np.nan, np.nan, np.nan
    return condition / whole, between / whole, within / whole
