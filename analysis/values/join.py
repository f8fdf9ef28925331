"""Labels joined to turns: for every turn what one labelling says of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.values.codes import Keys, hashed
from analysis.values.labels import LABELLED, Labelling, States
from analysis.values.said import Said
from analysis.values.sets import Bools, Ints, Sets

ABSENT = -1
"""The state of a turn that has no label."""


@dataclass(frozen=True, slots=True)
class Origins:
    """Debates that go on from others: their keys, sorted, and those of the debates they go on from."""

    debates: Keys
    sources: Keys

    def of(self, debates: Keys) -> tuple[Bools, Keys]:
        """Which of the debates go on from another, and from which."""
        place = np.minimum(np.searchsorted(self.debates, debates), max(len(self.debates) - 1, 0))
        if not len(self.debates):
            return np.zeros(len(debates), np.bool_), debates
        return self.debates[place] == debates, self.sources[place]


NO_ORIGINS = Origins(np.zeros(0, np.uint64), np.zeros(0, np.uint64))


@dataclass(frozen=True, slots=True)
class Labelled:
    """Turns with their labels, a row each: the state, or `ABSENT`; and the set, empty unless labelled.

    `used` is how many labels are of a turn here; one of an opening counts where it was said.
    """

    name: str
    states: States
    sets: Sets
    used: int

    @property
    def known(self) -> Bools:
        """Which turns have a set, be it empty."""
        return np.asarray(self.states == LABELLED)


def join(turns: Said, labelling: Labelling, origins: Origins = NO_ORIGINS) -> Labelled:
    """What the labelling says of each turn; a turn of an opening has its label where it was said."""
    place = _find(labelling.turns, turns.keys)
    used = int((place >= 0).sum())
    _open(place, turns, labelling.turns, origins)
    found = place >= 0
    states = np.full(len(turns), ABSENT, np.int8)
    states[found] = labelling.states[place[found]]
    sets = np.zeros((len(turns), labelling.sets.shape[1]), np.uint64)
    sets[found] = labelling.sets[place[found]]
    return Labelled(labelling.name, states, sets, used)


def _open(place: Ints, turns: Said, labelled: Keys, origins: Origins) -> None:
    """Puts into `place` where the labels of openings are: each with the debate in which it was said."""
    rows = np.flatnonzero(turns.opening & (place < 0))
    debates = hashed(turns.debates)[turns.debate[rows]]
    keys = turns.keys[rows]
    while len(rows):
        going_on, sources = origins.of(debates)
        rows, keys = rows[going_on], (keys + sources - debates)[going_on]
        debates = sources[going_on]
        place[rows] = _find(labelled, keys)
        rest = place[rows] < 0
        rows, keys, debates = rows[rest], keys[rest], debates[rest]


def _find(there: Keys, keys: Keys) -> Ints:
    """Where each key stands among those `there`, which are sorted; -1 for those that do not."""
    if not len(there):
        return np.full(len(keys), -1, np.int64)
    place = np.minimum(np.searchsorted(there, keys), len(there) - 1)
    return np.where(there[place] == keys, place, -1)
