"""Differences over conditions together: their plain mean, and what random effects make of them.

A condition is a panel, a judge and a data set. Judges read the same debates, so conditions are not
independent: the interval of the plain mean draws cases jointly over all conditions and holds for that, while
the random effects take conditions for independent, as the usual summary of studies does.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pandas as pd

from analysis.bootstrap import LEVEL, Floats, intervals, ratio
from analysis.estimates import ONE_CASE, Counts, lookup
from analysis.oversight.differences import paired_protocols
from analysis.oversight.paired import SIDES, Paired
from analysis.oversight.study import Study
from analysis.replication.across import heterogeneity
from analysis.tally import groups

CONDITION = ("panel", "judge", "source")

COLUMNS = (
    *("numerator", "denominator", "estimate", "low", "high", "wilson_low", "wilson_high"),
    *("random", "random_low", "random_high", "tau2", "i2", "q", "q_p", "in_random"),
    *("cases", "unreadable", "failed", "reason"),
)
"""The last columns: `estimate` is the unweighted mean of the differences of `denominator` conditions, of
which `numerator` is the sum, `low` and `high` its interval. `random` is the mean with weights
1 / (se^2 + tau2), with its normal interval; tau2, i2, q and q_p are as in
`replication.across.heterogeneity`; `in_random` are the conditions in it: those with two cases or more whose
differences are not all alike. What has no meaning for a mean of differences is null, or 0 for a count."""

EMPTY = "no condition with both"
ONE_EACH = "a condition of one case only: no interval"
ALIKE = "all cases say the same: no interval"


def summary(study: Study) -> pd.DataFrame:
    """Each difference of protocols over all conditions. Keys: answers; sees; value; against."""
    return _summed(paired_protocols(study, ["source"]), CONDITION)


def sweep(study: Study) -> pd.DataFrame:
    """Each difference of protocols by judge: the mean over data sets.

    Keys: panel; judge; answers; sees; value; against.
    """
    return _summed(paired_protocols(study, ["source"]), ["source"])


def _summed(found: Paired, over: Sequence[str]) -> pd.DataFrame:
    keys = [name for name in (*found.keys, *SIDES) if name not in over]
    rows = groups(keys, found.grid)
    known = found.grid[found.grid["pair"].isin(found.rows["pair"])]
    pairs = known["pair"].groupby(lookup(known, rows, keys)).agg(list).reindex(range(len(rows)))
    conditions = [own if isinstance(own, list) else [] for own in pairs]
    moved, of = _by_case(found)
    ends = _ends(moved, of, conditions)
    told = [_told(moved, of, own, found.grain) for own in conditions]
    whole = pd.DataFrame(told, columns=list(COLUMNS))
    alike = ends[0] == ends[1]
    low, high = np.where(alike, np.nan, ends) / found.grain
    reason = whole["reason"].mask(alike, ALIKE)
    return pd.concat([rows.reset_index(drop=True), whole.assign(low=low, high=high, reason=reason)], axis=1)


def _by_case(found: Paired) -> tuple[Counts, Counts]:
    """The sums of differences, and the number of instances: cases by pairs."""
    cases, at = np.unique(found.rows["case_id"], return_inverse=True)
    moved, of = (np.zeros((len(cases), len(found.grid)), np.int64) for _ in range(2))
    pair = found.rows["pair"].to_numpy()
    np.add.at(moved, (at, pair), (found.rows["value"] - found.rows["against"]).to_numpy(np.int64))
    np.add.at(of, (at, pair), 1)
    return moved, of


def _ends(moved: Counts, of: Counts, conditions: Sequence[Sequence[int]]) -> Floats:
    """The interval of the mean over some conditions, for each row; null where one of them has one case only:
    draws of cases do not move its difference.
    """
    ends = np.full((2, len(conditions)), np.nan)
    enough = (of > 0).sum(axis=0) > 1
    for size in sorted({len(own) for own in conditions} - {0}):
        at = [row for row, own in enumerate(conditions) if len(own) == size and enough[own].all()]
        if at:
            columns = np.array([conditions[row] for row in at])
            terms = [sums[:, columns[:, place]] for place in range(size) for sums in (moved, of)]
            ends[:, at] = intervals(_mean, *terms)
    return ends


def _told(moved: Counts, of: Counts, own: Sequence[int], grain: int) -> dict[str, object]:
    """One row, without its interval, from the differences of some conditions."""
    means = ratio(moved[:, own].sum(axis=0), of[:, own].sum(axis=0)) / grain
    errors = np.array([_error(moved[:, pair], of[:, pair]) for pair in own]) / grain
    cases = int(of[:, own].any(axis=1).sum())
    few = bool(((of[:, own] > 0).sum(axis=0) < 2).any())
    return {
        **dict.fromkeys(COLUMNS, np.nan),
        "numerator": float(means.sum()),
        "denominator": len(means),
        "estimate": float(means.mean()) if len(means) else np.nan,
        **_random(means, errors),
        **{"cases": cases, "unreadable": 0, "failed": 0},
        "reason": EMPTY if not own else ONE_CASE if cases == 1 else ONE_EACH if few else "",
    }


def _mean(*sums: Floats) -> Floats:
    """The mean of several ratios; sums come in twos."""
    shares = [ratio(above, below) for above, below in zip(sums[::2], sums[1::2], strict=True)]
    mean: Floats = np.mean(shares, axis=0)
    return mean


def _error(moved: Counts, of: Counts) -> float:
    """The standard error of a mean difference clustered by case; 0 for one case."""
    had = of > 0
    shifts = (moved[had] - moved.sum() / of.sum() * of[had]) / of.sum()
    return float(np.sqrt((shifts**2).sum() * had.sum() / max(had.sum() - 1, 1)))


def _random(means: Floats, errors: Floats) -> dict[str, float]:
    used = errors > 1e-12
    told = heterogeneity(means[used], errors[used])
    if used.sum() < 2:
        return {**told, "in_random": int(used.sum())}
    weight = 1 / (errors[used] ** 2 + told["tau2"])
    mean = float(weight @ means[used] / weight.sum())
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) / float(np.sqrt(weight.sum()))
    ends = {"random": mean, "random_low": mean - reach, "random_high": mean + reach}
    return {**told, **ends, "in_random": int(used.sum())}
