"""Majorities of answers drawn without replacement, against figures by hand and by drawing all samples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.measures.majority import winning


def chances(counts: list[int], drawn: int) -> list[float]:
    return winning(np.array([counts]), np.array([drawn]))[0].tolist()


def by_all_samples(counts: list[int], drawn: int) -> list[float]:
    """The definition read aloud: every subset of the answers, ties shared."""
    answers = [label for label, count in enumerate(counts) for _ in range(count)]
    samples = list(combinations(answers, drawn))
    won = [0.0] * len(counts)
    for sample in samples:
        votes = [sample.count(label) for label in range(len(counts))]
        most = [label for label, number in enumerate(votes) if number == max(votes)]
        for label in most:
            won[label] += 1 / len(most) / len(samples)
    return won


def test_of_one_answer_it_is_the_share_of_each() -> None:
    assert chances([3, 1, 0], 1) == pytest.approx([0.75, 0.25, 0])


def test_two_answers_that_differ_are_a_tie() -> None:
    assert chances([1, 1], 2) == pytest.approx([0.5, 0.5])


def test_three_of_three_to_two() -> None:
    """Of 10 samples 1 has three of the first, 6 two, 3 one: the first wins 7."""
    assert chances([3, 2], 3) == pytest.approx([0.7, 0.3])


def test_fewer_answers_than_are_drawn_have_no_majority() -> None:
    assert np.isnan(chances([1, 1], 3)).all()
    assert np.isnan(chances([0, 0], 1)).all()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any), st.data())
def test_equals_drawing_all_samples(counts: list[int], data: st.DataObject) -> None:
    drawn = data.draw(st.integers(1, sum(counts)))
    assert chances(counts, drawn) == pytest.approx(by_all_samples(counts, drawn))


def test_many_urns_at_once_are_each_as_alone() -> None:
    counts, drawn = np.array([[2, 0, 1], [0, 1, 2], [5, 5, 5], [0, 0, 1]]), np.array([3, 2, 8, 2])
    together = winning(counts, drawn)
    for place in range(4):
        alone = winning(counts[[place]], drawn[[place]])[0]
        assert np.array_equal(together[place], alone, equal_nan=True)
    assert together[:3].sum(axis=1) == pytest.approx(1)


def test_without_urns_there_is_nothing() -> None:
    assert winning(np.zeros((0, 5), np.int64), np.zeros(0, np.int64)).shape == (0, 5)
