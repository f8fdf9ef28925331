"""Sums of values add up: a result depends neither on parts nor on the order of rows."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

from analysis.values.counting import count
from analysis.values.labels import COLUMNS, gather
from analysis.values.sums import SUMS, merge
from tests.analysis.values.labelled import TAXONOMY, judgments, labels_of, random_labels, turns


def shuffled(table: pa.Table, dice: random.Random) -> pa.Table:
    return table.take(pa.array(dice.sample(range(len(table)), len(table)), pa.int64()))


@pytest.mark.parametrize(("seed", "n", "cuts"), [(1, 40, 2), (2, 40, 5), (3, 2, 4)])
def test_sums_are_independent_of_partition_and_order(seed: int, n: int, cuts: int) -> None:
    dice, debates = random.Random(seed), random_labels(seed, n)
    whole = count(turns(debates), labels_of(debates))
    mixed = dice.sample(debates, len(debates))
    tables = [shuffled(judgments(mixed[start::cuts]), dice).select(COLUMNS) for start in range(cuts)]
    labels = gather(dice.sample(tables, cuts), TAXONOMY)
    parts = [count(shuffled(turns(mixed[start::cuts]), dice), labels) for start in range(cuts)]
    assert merge(dice.sample(parts, cuts)).equals(whole)
    assert merge([merge(parts[:1]), merge(parts[1:])]).equals(whole)


def test_a_part_without_turns_has_sums_of_the_one_schema() -> None:
    debates = random_labels(4, 5)
    nothing = count(turns([]), labels_of(debates))
    assert nothing.schema.equals(SUMS)
    assert merge([nothing, count(turns(debates), labels_of(debates))]).equals(
        count(turns(debates), labels_of(debates))
    )


def test_strings_read_as_dictionaries_count_the_same() -> None:
    debates = random_labels(5, 20)
    rows, labels = turns(debates), labels_of(debates)
    encoded = pa.table(
        {
            name: rows[name].dictionary_encode() if rows[name].type == pa.string() else rows[name]
            for name in rows.column_names
        }
    )
    assert count(encoded, labels).equals(count(rows, labels))
