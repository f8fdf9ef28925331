"""Estimates by some columns of the condition pool the debates that are alike in them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pandas as pd
import pytest

from analysis.summary import summarise, summary
from analysis.tally import UnknownColumn
from tests.analysis.counting import tallied
from tests.analysis.synthetic import draw, judge

pytestmark = pytest.mark.long

COUNTS = {
    "consensus": (["round"], ["numerator"]),
    "change": (["level", "model", "seat", "among", "event"], ["numerator", "denominator", "unreadable"]),
    "verdicts": (["model", "when", "verdict"], ["numerator", "denominator", "unreadable"]),
    "judgments": (["judge", "decision"], ["numerator", "denominator", "unreadable"]),
}
"""What a frame has a row for in each condition, and what it counts in it."""


def sums(frame: pd.DataFrame, keys: list[str], counts: list[str]) -> dict[object, tuple[int, ...]]:
    """The counts added up by the keys; without rows of zeros alone."""
    added = frame.fillna({"round": 0} if "round" in keys else {}).groupby(keys)[counts].sum()
    rows = zip(added.index, added.itertuples(index=False, name=None), strict=True)
    return {key: row for key, row in rows if any(row)}


@pytest.mark.parametrize("name", COUNTS)
def test_pooled_counts_are_the_sums_of_those_pooled(name: str) -> None:
    tallies, by = tallied(judge(draw(5, 200), 5)), ["protocol", "steering"]
    keys, counts = COUNTS[name]
    apart, pooled = (getattr(one, name) for one in (summary("run", tallies), summary("run", tallies, by=by)))
    told = ["stage", *by]
    assert sums(pooled, [*told, *keys], counts) == sums(apart, [*told, *keys], counts)
    assert len(pooled) == len(pooled[[*told, *keys]].drop_duplicates())
    assert list(pooled.columns[:3]) == told, "the stage is never pooled over"


@pytest.mark.parametrize(
    ("by", "complaint"),
    [
        (
            ["protocol", "colour"],
            r"a condition has no column 'colour'; name some of stage, protocol, variant, .*",
        ),
        (["panl"], r"no column 'panl' \(did you mean 'panel'\?\); name some of stage, "),
        (["seat"], "no column 'seat'"),
        ([], "told by at least one column; name some of"),
    ],
)
def test_other_columns_are_refused_before_anything_is_read(by: list[str], complaint: str) -> None:
    with pytest.raises(UnknownColumn, match=complaint) as caught:
        summarise(Path("nowhere"), by=by)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
