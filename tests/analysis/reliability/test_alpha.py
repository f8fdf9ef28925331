"""Krippendorff's alpha against his own example, and against going through all pairs."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.reliability.alpha import KINDS, alpha, distances, pairs_by_overlap
from analysis.values.sets import MOST, Bools, Sets, pack, size

EXAMPLE = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""
"""Krippendorff's nominal data with missing values: four observers, twelve units."""

RATED = st.lists(st.none() | st.frozensets(st.integers(0, 6), max_size=MOST), min_size=6, max_size=6)


def rater(labels: list[frozenset[int] | None], n_values: int = 70) -> tuple[Sets, Bools]:
    """The sets of one rater, and which units it labelled."""
    pairs = [(unit, value) for unit, label in enumerate(labels) for value in label or ()]
    owner, value = np.array(pairs, np.int64).reshape(-1, 2).T
    return pack(owner, value, len(labels), n_values), np.array([label is not None for label in labels])


def of(raters: list[list[frozenset[int] | None]], kind: str = "jaccard") -> float:
    sets, given_ = zip(*map(rater, raters), strict=True)
    return float(alpha(list(sets), list(given_)).alpha[KINDS.index(kind)])


def plain(one: frozenset[int], other: frozenset[int], kind: str) -> float:
    """The distance of two sets, as its definition says it."""
    if one == other:
        return 0.0
    share = 1.0 if kind == "jaccard" else 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - share * len(one & other) / len(one | other)


def through_all_pairs(raters: list[list[frozenset[int] | None]], kind: str) -> float:
    units = [[label for label in unit if label is not None] for unit in zip(*raters, strict=True)]
    units = [unit for unit in units if len(unit) >= 2]
    pool = [label for unit in units for label in unit]
    within = sum(
        plain(one, other, kind) / (len(unit) - 1) for unit in units for one, other in permutations(unit, 2)
    )
    among = sum(plain(one, other, kind) for one, other in permutations(pool, 2))
    return 1 - (within / len(pool)) / (among / (len(pool) * (len(pool) - 1))) if among else math.nan


@pytest.mark.parametrize("kind", ["jaccard", "masi"])
def test_nominal_data_are_sets_of_one(kind: str) -> None:
    raters = [
        [None if label == "." else frozenset({int(label)}) for label in line.split()]
        for line in EXAMPLE.strip().splitlines()
    ]
    assert of(raters, kind) == pytest.approx(0.743, abs=0.0005)


def test_distances_of_small_sets() -> None:
    jaccard, masi = distances(3)
    assert jaccard[0, 0, 0] == masi[0, 0, 0] == 0, "two empty sets"
    assert jaccard[0, 2, 0] == masi[0, 2, 0] == 1, "one empty set"
    assert jaccard[2, 3, 2] == pytest.approx(1 / 3)
    assert masi[2, 3, 2] == pytest.approx(1 - 2 / 3 * 2 / 3), "a subset"
    assert masi[2, 3, 1] == pytest.approx(1 - 1 / 4 * 1 / 3), "an overlap"


@settings(max_examples=60)
@given(st.lists(RATED, min_size=2, max_size=3), st.sampled_from(["jaccard", "masi"]))
def test_equals_going_through_all_pairs(raters: list[list[frozenset[int] | None]], kind: str) -> None:
    assert of(raters, kind) == pytest.approx(through_all_pairs(raters, kind), nan_ok=True)


def test_pairs_are_counted_by_what_they_share() -> None:
    sets, _ = rater([frozenset(), frozenset({0, 1}), frozenset({1, 65}), frozenset({0, 1})])
    found = pairs_by_overlap(sets, MOST)
    assert found[2, 2].tolist() == [0, 4, 5, 0, 0, 0], "itself, and each equal one twice"
    assert found[0, 2, 0] == found[2, 0, 0] == 3
    assert found.sum() == 16
    assert size(sets).tolist() == [0, 2, 2, 2]


def test_raters_who_give_one_label_alone_have_no_alpha() -> None:
    assert math.isnan(of([[frozenset({1})] * 3, [frozenset({1})] * 3]))
    assert math.isnan(of([[None, frozenset({1})], [frozenset({1}), None]])), "no unit has two labels"
