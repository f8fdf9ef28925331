"""Differences of protocols had every consultant been right from the start equally often.

Which consultant is right from the start parts the instances in two strata. Drawing the larger one down to the
size of the smaller gives an accuracy that depends on the draw; over all draws it is, exactly, the mean of the
accuracies of the two strata. Instances are those complete under both protocols, the same for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from analysis.bootstrap import Floats, intervals, ratio
from analysis.oversight.differences import paired_protocols
from analysis.oversight.options import NONE
from analysis.oversight.paired import SIDES
from analysis.oversight.study import Study

SEED = 20_260_701
"""Where seeded draws begin."""

STRATA = ("first_right", "second_right")
EMPTY = "no instance of one of the strata"
ONE_EACH = "a stratum of one case only: no interval"


def estimate(study: Study, also: Sequence[str] = ()) -> pd.DataFrame:
    """The expected difference of protocols under balance, exact over all draws.

    Keys: those of `differences.protocols`. The estimate is the difference; `value_accuracy` and
    `against_accuracy` are the sides, `STRATA` how many instances are in each stratum, `outside` how many in
    none as not exactly one consultant was right, and `drawn` the difference in the first of `draws`.
    Numerator is null; the denominator are the instances of both strata. `failed` and `unreadable` are 0, see
    `differences.protocols`.
    """
    found = paired_protocols(study, also)
    rows = _with_strata(study, found.rows)
    inside = rows[rows["stratum"] >= 0]
    pairs = len(found.grid)
    cases, at = np.unique(inside["case_id"], return_inverse=True)
    terms = [
        _sums(inside, at, (len(cases), pairs), stratum, column)
        for stratum in range(2)
        for column in (*SIDES, "of")
    ]
    value, against, moved = _balanced(*(one.sum(axis=0) for one in terms)) / found.grain
    counted = ((terms[2] + terms[5]) > 0).sum(axis=0)
    low, high = (ends[2] / found.grain for ends in intervals(_balanced, *terms))
    sizes = {name: terms[place].sum(axis=0) for name, place in zip(STRATA, (2, 5), strict=True)}
    alone = np.minimum((terms[2] > 0).sum(axis=0), (terms[5] > 0).sum(axis=0)) < 2
    first = next(_draws(inside, pairs, 1))["difference"] / found.grain
    told = {
        "numerator": np.nan,
        "denominator": sizes[STRATA[0]] + sizes[STRATA[1]],
        "estimate": moved,
        "low": np.where(alone, np.nan, low),
        "high": np.where(alone, np.nan, high),
        "wilson_low": np.nan,
        "wilson_high": np.nan,
        "cases": counted,
        "unreadable": 0,
        "failed": 0,
        "reason": np.select([np.isnan(moved), alone], [EMPTY, ONE_EACH], ""),
        "value_accuracy": value,
        "against_accuracy": against,
        **sizes,
        "outside": np.bincount(rows.loc[rows["stratum"] < 0, "pair"], minlength=pairs),
        "drawn": first.to_numpy(),
    }
    return found.grid.drop(columns="pair").assign(**told)


def draws(study: Study, number: int = 100, also: Sequence[str] = ()) -> pd.DataFrame:
    """Seeded draws: the larger stratum drawn down, without replacement, to the size of the smaller.

    Keys: those of `estimate`; draw, from 1. Columns: instances; value_accuracy, against_accuracy, difference,
    null where a stratum is empty. Always the same for the same instances, in whatever order they come.
    """
    found = paired_protocols(study, also)
    rows = _with_strata(study, found.rows)
    drawn = _draws(rows[rows["stratum"] >= 0], len(found.grid), number)
    told = pd.concat([found.grid.assign(draw=place).join(one) for place, one in enumerate(drawn, start=1)])
    shares = ["value_accuracy", "against_accuracy", "difference"]
    told[shares] = told[shares] / found.grain
    return told.sort_values(["pair", "draw"], ignore_index=True).drop(columns="pair")


def _with_strata(study: Study, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with `stratum`: 0 or 1, which consultant alone was right; -1 where it is not just one."""
    own = study.known.drop_duplicates("instance")
    first, second = (own[f"{name}_opening"] == own["truth"] for name in ("first", "second"))
    both_said = (own["first_opening"] != NONE) & (own["second_opening"] != NONE)
    stratum = np.select([both_said & first & ~second, both_said & second & ~first], [0, 1], -1)
    return rows.merge(own[["instance"]].assign(stratum=stratum), on="instance")


def _sums(rows: pd.DataFrame, at: np.ndarray, size: tuple[int, int], stratum: int, column: str) -> np.ndarray:
    """The sums of a side, or the number of instances, of one stratum: cases by pairs."""
    sums = np.zeros(size, np.int64)
    own = (rows["stratum"] == stratum).to_numpy()
    added = np.ones(len(rows), np.int64) if column == "of" else rows[column].to_numpy(np.int64)
    np.add.at(sums, (at[own], rows["pair"].to_numpy()[own]), added[own])
    return sums


def _balanced(*sums: Floats) -> Floats:
    """Both sides and their difference, from value, against and number of each stratum."""
    value, against = ((ratio(sums[i], sums[2]) + ratio(sums[3 + i], sums[5])) / 2 for i in (0, 1))
    return np.stack([value, against, value - against])


def _draws(rows: pd.DataFrame, pairs: int, number: int) -> Iterator[pd.DataFrame]:
    """For each draw a frame with a row for each pair."""
    ordered = rows.sort_values(["pair", "stratum", "instance"], ignore_index=True)
    group = ordered["pair"].to_numpy() * 2 + ordered["stratum"].to_numpy()
    size = np.bincount(group, minlength=2 * pairs).reshape(pairs, 2)
    least = size.min(axis=1)
    for draw in range(1, number + 1):
        dice = np.random.default_rng([SEED, draw]).random(len(ordered))
        place = pd.Series(dice).groupby(group).rank("first").to_numpy()
        kept = ordered[place <= least[group // 2]]
        sums = kept.groupby("pair")[list(SIDES)].sum().reindex(range(pairs), fill_value=0)
        value, against = (ratio(sums[side].to_numpy(), 2 * least) for side in SIDES)
        yield pd.DataFrame(
            {
                "instances": 2 * least,
                "value_accuracy": value,
                "against_accuracy": against,
                "difference": value - against,
            }
        )
