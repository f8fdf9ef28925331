"""Arms by hand: each conversation a word of letters, ? for a verdict that could not be read."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.causal.arms import NONE, Planted, ReAsked
from analysis.model.rows import Ints

LABELS = ("A", "B", "C", "D", "E")


def codes(letters: str) -> Ints:
    return np.array([NONE if one == "?" else LABELS.index(one) for one in letters], np.int64)


def reasked(*words: str, cases: Sequence[int] | None = None, debates: Sequence[int] | None = None) -> ReAsked:
    """Conversations of one model, each on a case and in a debate of its own unless these say otherwise."""
    of = np.array(range(len(words)) if cases is None else cases)
    names = tuple(f"case {number}" for number in range(int(of.max()) + 1))
    said = np.stack([codes(word) for word in words])
    together = np.arange(len(words)) if debates is None else np.array(debates)
    return ReAsked(said, of, np.zeros(len(words), int), together, LABELS, names, ("m",))


def planted(said: str, drawn: str, cases: Sequence[int] | None = None, before: str = "") -> Planted:
    """First verdicts of one model after what was drawn, each in a debate and on a case of its own."""
    count = len(said)
    of = np.array(range(count) if cases is None else cases)
    names = tuple(f"case {number}" for number in range(int(of.max()) + 1))
    ones = np.ones(count, np.int64)
    own = codes(before or "?" * count)
    at = (of, 0 * ones, np.arange(count), ones, np.full(count, not before))
    return Planted(codes(said), codes(drawn), own, *at, LABELS, names, ("m",))
