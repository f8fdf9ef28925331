"""Where outcomes vary: between conditions, between cases, or between repetitions of one case.

With x of case d in repetition k (0 or 1): the variance within is the mean square within cases, that between
is (mean square between cases - mean square within) / R, and ICC their share that is between. Both are 0 where
they would come out below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.bootstrap import Floats, intervals, ratio
from analysis.model.observed import observed
from analysis.model.outcomes import CHANGE, outcomes
from analysis.model.rows import Flags, Ints
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


@dataclass(frozen=True, slots=True)
class Cells:
    """K quantities, each of a condition, of D cases in R repetitions.

    `keys` has their condition and quantity, a row each; `sums`, K by D by R, how often it happened, in `each`
    (K) debates; `whole`, K by D, whether a case has all of these in all repetitions.
    """

    keys: pd.DataFrame
    sums: Ints
    each: Ints
    whole: Flags


def cells(table: pd.DataFrame, count: int) -> Cells:
    """The cells of an outcome table of `count` repetitions."""
    groups = table.groupby(["condition", "quantity"], sort=True)
    case, cases = pd.factorize(table["case_id"], sort=True)
    at = (groups.ngroup().to_numpy(), case, table["repetition"].to_numpy())
    sums, sizes = np.zeros((2, groups.ngroups, len(cases), count), np.int64)
    np.add.at(sums, at, table["happened"].to_numpy(np.int64))
    np.add.at(sizes, at, 1)
    each: Ints = sizes.max(axis=(1, 2))
    keys = pd.DataFrame(list(groups.groups), columns=["condition", "quantity"])
    return Cells(keys, sums, each, (sizes == each[:, None, None]).all(axis=2))


def decomposed(of: Cells) -> pd.DataFrame:
    """The variance of each quantity in each condition, over the cases that have all repetitions.

    `COLUMNS`: cases; share, the mean; between and within, of a single debate; icc with its 95% interval by
    bootstrap over cases, null where nothing varies.
    """
    count = of.sums.shape[2]
    x = np.where(of.whole[..., None], of.sums, 0)
    totals = x.sum(axis=2)
    squares = count * (x**2).sum(axis=2) - totals**2
    terms = [term.T for term in (of.whole.astype(np.int64), totals, totals**2, squares)]
    n, total, *_ = sums = [term.sum(axis=0) for term in terms]
    between, within = _parts(count, *sums)
    low, high = intervals(lambda *drawn: _icc(*_parts(count, *drawn)), *terms)
    icc = _icc(between, within)
    return of.keys.assign(
        cases=n,
        repetitions=count,
        share=ratio(total, n * count * of.each),
        between=between / of.each**2,
        within=within / of.each**2,
        icc=icc,
        low=np.where(np.isfinite(icc), low, np.nan),
        high=np.where(np.isfinite(icc), high, np.nan),
    )[list(COLUMNS)]


def nested(of: Cells) -> pd.DataFrame:
    """The variance of each kind of quantity as shares: of conditions, of cases in them, of repetitions.

    Over the cases that have all repetitions in all conditions. One row for each kind: quantity; conditions;
    cases; condition, case, repetition, which add up to 1, null where nothing varies.
    """
    kinds = of.keys["quantity"].where(~of.keys["quantity"].str.startswith(CHANGE), CHANGE)
    told = []
    for kind in sorted(set(kinds)):
        own = np.flatnonzero(kinds == kind)
        shared = of.whole[own].all(axis=0)
        x = of.sums[own][:, shared] / of.each[own, None, None]
        told.append((kind, len(own), int(shared.sum()), *_shares(x)))
    return pd.DataFrame(told, columns=["quantity", "conditions", "cases", "condition", "case", "repetition"])


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
