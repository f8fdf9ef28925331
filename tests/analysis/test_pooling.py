"""Estimates by some columns of the condition pool the debates that are alike in them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pandas as pd
import pytest

from analysis.summary import summarise, summary
from analysis.tally import UnknownColumn
from tests.analysis.counting import tallied
from tests.analysis.synthetic import draw

FRAMES = ("consensus", "change", "verdicts")


@pytest.mark.parametrize("frame", FRAMES)
def test_pooled_counts_are_the_sums_of_those_pooled(frame: str) -> None:
    tallies, by = tallied(draw(5, 200)), ["protocol", "steering"]
    apart = getattr(summary("run", tallies), frame)
    pooled = getattr(summary("run", tallies, by=by), frame)
    keys = {
        "consensus": ["round"],
        "change": ["level", "model", "seat", "among"],
        "verdicts": ["model", "when", "verdict"],
    }[frame]
    count = "changed" if frame == "change" else "count"
    sums = apart.groupby([*by, *keys], dropna=False)[[count, "n", "unreadable"]].sum()
    found = pooled.set_index([*by, *keys])[[count, "n", "unreadable"]].sort_index()
    played = sums[sums["n"] + sums["unreadable"] > 0].sort_index()
    pd.testing.assert_frame_equal(found[found["n"] + found["unreadable"] > 0], played)
    assert list(pooled.columns[:2]) == by


@pytest.mark.parametrize(
    ("by", "complaint"),
    [
        (["protocol", "colour"], r"a condition has no column 'colour'; name some of protocol, variant, .*"),
        (["seat"], "no column 'seat'"),
        ([], "told by at least one column; name some of"),
    ],
)
def test_other_columns_are_refused_before_anything_is_read(by: list[str], complaint: str) -> None:
    with pytest.raises(UnknownColumn, match=complaint) as caught:
        summarise(Path("nowhere"), by=by)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
