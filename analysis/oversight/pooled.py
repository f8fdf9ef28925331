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
"""The last columns: `estimate` is the unweighted mean of the differences of `denominator` conditions, of which
`numerator` is the sum, `low` and `high` its interval. `random` is the mean with weights 1 / (se^2 + tau2), with
its normal interval; tau2, i2, q and q_p are as in `replication.across.heterogeneity`; `in_random` are the
conditions in it: those with two cases or more whose differences are not all alike. What has no meaning for a
mean of differences is null, or 0 for a count."""

EMPTY = "no condition with both"
ONE_CASE = "one case only: no interval"


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
    number = groups(keys, found.grid)
    rows = found.rows.assign(moved=found.rows["value"] - found.rows["against"], of=1)
    cases = pd.Index(np.sort(rows["case_id"].unique()))
    by_case = rows.groupby(["pair", "case_id"], sort=True)[["moved", "of"]].sum()
    told = [
        _told(by_case, list(found.grid.merge(one.to_frame().T, on=keys)["pair"]), cases, found.grain)
        for _, one in number.iterrows()
    ]
    whole = pd.DataFrame(told, columns=list(COLUMNS))
    return pd.concat([number.reset_index(drop=True), whole], axis=1)


def _told(
    by_case: pd.DataFrame, pairs: Sequence[int], cases: pd.Index[str], grain: int
) -> dict[str, object]:
    """One row, from the sums by case of some pairs."""
    known = set(by_case.index.get_level_values("pair"))
    sums = [by_case.loc[pair].reindex(cases, fill_value=0).to_numpy(np.int64) for pair in pairs if pair in known]
    drawn = np.any([one[:, 1] != 0 for one in sums], axis=0) if sums else np.zeros(0, bool)
    terms = [one[drawn][:, [column]] for one in sums for column in (0, 1)]
    means = np.array([one[:, 0].sum() / one[:, 1].sum() / grain for one in sums])
    low, high = intervals(_mean, *terms) if drawn.sum() > 1 else (np.array([np.nan]), np.array([np.nan]))
    errors = np.array([_error(one[one[:, 1] != 0]) / grain for one in sums])
    reason = EMPTY if not sums else ONE_CASE if drawn.sum() == 1 else ""
    return {
        **dict.fromkeys(COLUMNS, np.nan),
        "numerator": float(means.sum()),
        "denominator": len(means),
        "estimate": float(means.mean()) if sums else np.nan,
        "low": float(low[0]) / grain,
        "high": float(high[0]) / grain,
        **_random(means, errors),
        "cases": int(drawn.sum()),
        "unreadable": 0,
        "failed": 0,
        "reason": reason,
    }


def _mean(*sums: Floats) -> Floats:
    """The mean of several ratios; sums come in twos."""
    shares = [ratio(above, below) for above, below in zip(sums[::2], sums[1::2], strict=True)]
    mean: Floats = np.mean(shares, axis=0)
    return mean


def _error(sums: np.ndarray) -> float:
    """The standard error of a mean difference clustered by case; 0 for one case."""
    if len(sums) < 2:
        return 0.0
    moved, of = sums[:, 0].astype(float), sums[:, 1].astype(float)
    shifts = (moved - moved.sum() / of.sum() * of) / of.sum()
    return float(np.sqrt((shifts**2).sum() * len(sums) / (len(sums) - 1)))


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
