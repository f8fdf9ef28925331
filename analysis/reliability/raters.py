"""Who is compared with whom: a judge with itself, judges with each other, and people with judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from analysis.values.labels import LABELLED, Labelling
from analysis.values.sets import Bools, Ints, Sets, nothing

REPEATED, BETWEEN, HUMAN, PEOPLE = KINDS = ("repeated", "between", "human", "people")
"""The labellings of one judge, a model or a person, by pass or under other names; then the first ones of
models; of people and of models; of people."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Turns that some raters have labels of: their cases, and of each rater the sets and which it gave.

    A row is a turn. A label that could not be read, or is an error, is not given; `unread` are turns of
    which there are at least two labels, but fewer than two sets.
    """

    cases: Ints
    sets: list[Sets]
    given: list[Bools]
    unread: int


def comparisons(labellings: Sequence[Labelling]) -> Iterator[tuple[str, tuple[Labelling, ...]]]:
    """Who is compared, by the `KINDS`: every two, and all of a kind where these are more."""
    own: dict[str, list[Labelling]] = {}
    for one in labellings:
        own.setdefault(one.judge, []).append(one)
    first = [each[0] for each in own.values()]
    judges, people = ([one for one in first if one.human == human] for human in (False, True))
    for kind, groups in ((REPEATED, own.values()), (BETWEEN, [judges]), (PEOPLE, [people])):
        for group in groups:
            yield from ((kind, pair) for pair in combinations(group, 2))
            if len(group) > 2:
                yield kind, tuple(group)
    yield from ((HUMAN, pair) for pair in product(people, judges))


def rated(raters: Sequence[Labelling]) -> Rated:
    """What these raters said of the turns that two of them or more have labels of."""
    turns = np.concatenate([one.turns for one in raters])
    distinct, times = np.unique(turns, return_counts=True)
    common = distinct[times > 1]
    cases, sets, given = np.zeros(len(common), np.int64), [], []
    for one in raters:
        place = np.searchsorted(common, one.turns)
        there = np.isin(one.turns, common, assume_unique=True)
        row = place[there]
        cases[row] = one.cases[there]
        own = nothing(len(common), one.sets.shape[1] * 64)
        own[row] = one.sets[there]
        read = np.zeros(len(common), np.bool_)
        read[row] = one.states[there] == LABELLED
        sets.append(own)
        given.append(read)
    enough = np.stack(given).sum(axis=0) > 1 if len(common) else np.zeros(0, np.bool_)
    return Rated(
        cases[enough],
        [one[enough] for one in sets],
        [one[enough] for one in given],
        int((~enough).sum()),
    )
