"""The verdict of a majority of answers drawn from those there are: its exact distribution."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import comb

from analysis.bootstrap import Floats
from analysis.courses import Numbers


def winning(counts: Numbers, drawn: Numbers) -> Floats:
    """How probable it is that each label wins, where so many answers are drawn without replacement.

    `counts` are urns by labels, how often each label was given; `drawn` is the size of the sample from
    each urn, at least 1. The label given most often wins; where several are, each wins with the same
    probability, as if by lot. Every sample is weighed by its hypergeometric probability: nothing is drawn
    at random. An urn that holds fewer answers than are to be drawn has null.
    """
    order = np.argsort(-counts, axis=1, kind="stable")
    asked = np.column_stack([np.take_along_axis(counts, order, axis=1), drawn])
    distinct, place = np.unique(asked, axis=0, return_inverse=True)
    chances = np.vstack(
        [np.empty((0, counts.shape[1])), *(_winning(row[:-1], int(row[-1])) for row in distinct)]
    )
    found = np.empty(counts.shape)
    np.put_along_axis(found, order, chances[place.reshape(-1)], axis=1)
    return found


def _winning(urn: Numbers, drawn: int) -> Floats:
    """The same for one urn, labels in falling order."""
    if urn.sum() < drawn:
        return np.full(len(urn), np.nan)
    given = int((urn > 0).sum())
    samples = _samples(given, drawn)
    chance = comb(urn[:given], samples).prod(axis=1) / comb(int(urn.sum()), drawn)
    won = samples == samples.max(axis=1, keepdims=True)
    shares = np.zeros(len(urn))
    shares[:given] = chance @ (won / won.sum(axis=1, keepdims=True))
    return shares


def _samples(labels: int, drawn: int) -> NDArray[np.int64]:
    """All ways in which so many answers fall on so many labels."""
    bars = list(combinations(range(drawn + labels - 1), labels - 1))
    between = np.array(bars, np.int64).reshape(len(bars), labels - 1)
    edges = np.pad(between, ((0, 0), (1, 1)), constant_values=(-1, drawn + labels - 1))
    return np.diff(edges, axis=1) - 1
