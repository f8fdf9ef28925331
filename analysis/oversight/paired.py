"""Scores of the same instances under two arms, next to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import pandas as pd

from analysis.contrast import COLUMNS, adjusted, differences
from analysis.estimates import Terms, plain
from analysis.oversight.scores import scored

Drawn = Literal["case", "instance"]
"""What draws of an interval are of: whole cases, or instances, which for one repetition is the same."""

SIDES = ("value", "against")


@dataclass(frozen=True)
class Paired:
    """What two arms made of the instances that both have.

    `grid` has a row for each pair: `keys`, value, against, and `pair`, its number. `rows` has one for each
    instance of a pair: pair, instance, case_id, the scores `value` and `against` in units of 1 / `grain`, and
    `single`, whether each side rests on one judgment. `arms` are all scores: `keys`, arm, instance, case_id.
    """

    grid: pd.DataFrame
    rows: pd.DataFrame
    keys: tuple[str, ...]
    grain: int


Order = Callable[[Mapping[str, str], Sequence[str]], Iterator[tuple[str, str]]]
"""Which of some arms, of which the keys are these, stand against which: (value, against)."""


def paired(judged: pd.DataFrame, keys: Sequence[str], order: Order) -> Paired:
    """The instances that two arms have in common, by `keys`. `judged` has a column `arm`."""
    told = scored(judged, [*keys, "arm"])
    unit = [*keys, "arm", "instance"]
    won = told.rows["count"].where(told.rows["right"], 0)
    scores = told.rows.assign(score=won).groupby(unit, observed=True, sort=True)
    whole = scores.agg(
        score=("score", "sum"), case_id=("case_id", "first"), judgments=("debate_id", "size")
    ).reset_index()
    grid = _grid(whole, keys, order)
    sides = [
        grid[[*keys, side, "pair"]].merge(whole.rename(columns={"arm": side}), on=[*keys, side])
        for side in SIDES
    ]
    both = sides[0].merge(sides[1], on=["pair", "instance", "case_id"], suffixes=("_value", "_against"))
    rows = both[["pair", "instance", "case_id"]].assign(
        value=both["score_value"].astype("int64"),
        against=both["score_against"].astype("int64"),
        single=(both["judgments_value"] == 1) & (both["judgments_against"] == 1),
    )
    return Paired(grid, rows.sort_values(["pair", "instance"], ignore_index=True), tuple(keys), told.grain)


def compared(
    found: Paired, unreadable: pd.DataFrame, lost: pd.DataFrame, drawn: Drawn = "case"
) -> pd.DataFrame:
    """The differences of all pairs, in the columns of `contrast.differences` behind `keys`, value, against.

    McNemar's exact test is had where every score rests on one judgment and every draw is of one instance.
    `unreadable` and `lost` have the columns `keys`, arm, case_id and count.
    """
    rows = found.rows if drawn == "case" else found.rows.assign(case_id=found.rows["instance"])
    single = rows.groupby("pair")["single"].all().reindex(found.grid["pair"]).fillna(True).to_numpy(bool)
    parts = [
        _differences(found, rows, own, 1 if of else found.grain, unreadable, lost)
        for of, own in ((of, found.grid[single == of]) for of in (True, False))
        if len(own)
    ]
    empty = found.grid.drop(columns="pair").reindex(columns=[*found.keys, *SIDES, *COLUMNS], fill_value=0)
    told = pd.concat(parts).sort_index() if parts else empty
    return told.assign(p_adjusted=adjusted(told["p"].astype("float64"))).reset_index(drop=True)


def later(rank: Callable[[str], tuple[int, str]]) -> Order:
    """Each arm against each that ranks before it."""
    return lambda _, arms: ((value, against) for against, value in combinations(sorted(arms, key=rank), 2))


def all_against(usual: str) -> Order:
    """Each arm against the usual one, where that is among them."""
    return lambda _, arms: ((arm, usual) for arm in sorted(arms) if arm != usual and usual in arms)


def _grid(whole: pd.DataFrame, keys: Sequence[str], order: Order) -> pd.DataFrame:
    arms = plain(whole[[*keys, "arm"]].drop_duplicates())
    found = [
        (*key, value, against)
        for key, own in arms.groupby(list(keys), sort=True)
        for value, against in order(dict(zip(keys, map(str, key), strict=True)), list(own["arm"]))
    ]
    grid = pd.DataFrame(found, columns=[*keys, *SIDES]).astype("str")
    return grid.assign(pair=range(len(grid)))


def _differences(
    found: Paired,
    rows: pd.DataFrame,
    grid: pd.DataFrame,
    grain: int,
    unreadable: pd.DataFrame,
    lost: pd.DataFrame,
) -> pd.DataFrame:
    names = grid.set_index("pair")
    own = rows[rows["pair"].isin(names.index)]
    plain_rows = own[["pair", "case_id"]].assign(of=1)
    sides = pd.concat(
        [plain_rows.assign(arm=own["pair"].map(names[side]), count=own[side]) for side in SIDES]
    )
    keys = ["pair", "arm"]
    left = [Terms(frame, [*found.keys, "arm"]) for frame in (unreadable, lost)]
    told = differences(
        grid[[*found.keys, "pair", *SIDES]],
        "arm",
        Terms(sides.assign(count=sides["count"] // (found.grain // grain)), keys),
        Terms(sides.assign(count=sides["of"]), keys),
        left[0],
        left[1],
        grain if grain > 1 else None,
    )
    return told.drop(columns="pair").set_index(grid.index)
