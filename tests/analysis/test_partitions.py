"""Tallies add up: a result depends neither on parts nor on the order of rows."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from analysis.summary import COUNTED
from analysis.tally import TALLY, merge
from tests.analysis.counting import tallied
from tests.analysis.synthetic import Debate, draw, judge, table

pytestmark = pytest.mark.long


def in_parts(debates: list[Debate], cuts: int, dice: random.Random) -> pa.Table:
    """The merged tallies of the same debates: shuffled, cut into parts, the rows of each part shuffled."""
    debates = dice.sample(debates, len(debates))
    tallies = []
    for name, (columns, counted) in COUNTED.items():
        for start in range(cuts):
            rows = table(debates[start::cuts], name).select(columns)
            tallies.append(counted(rows.take(pa.array(dice.sample(range(len(rows)), len(rows)), pa.int64()))))
    return merge(dice.sample(tallies, len(tallies)))


@pytest.mark.parametrize(("seed", "n", "cuts"), [(1, 60, 2), (2, 60, 3), (3, 2, 4), (4, 0, 1)])
def test_tallies_are_independent_of_partition_and_order(seed: int, n: int, cuts: int) -> None:
    debates = judge(draw(seed, n), seed)
    assert in_parts(debates, cuts, random.Random(seed)).equals(tallied(debates))


def test_merging_in_steps_is_merging_at_once() -> None:
    one, two, three = (tallied(draw(seed, 20)) for seed in range(3))
    assert merge([merge([one, two]), three]).equals(merge([three, one, two]))


@pytest.mark.parametrize("name", COUNTED)
def test_an_empty_part_has_an_empty_tally_of_the_one_schema(name: str) -> None:
    columns, counted = COUNTED[name]
    nothing = counted(table([], name).select(columns))
    assert nothing.schema.equals(TALLY)
    assert len(nothing) == 0


def test_strings_read_as_dictionaries_count_the_same() -> None:
    debates = judge(draw(3, 40), 3)
    for name, (columns, counted) in COUNTED.items():
        rows = table(debates, name).select(columns)
        encoded = pa.table(
            {
                one: rows[one].dictionary_encode() if rows[one].type == pa.string() else rows[one]
                for one in columns
            }
        )
        assert merge([counted(encoded)]).equals(merge([counted(rows)]))
