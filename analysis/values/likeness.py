"""Similarity of values estimated: within agreement and disagreement, and from the first round to the last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

import numpy as np

from analysis.tally import CONDITION
from analysis.values.counted import Counted, Group, Rows, dense, together, totals
from analysis.values.frames import Columns, Lost
from analysis.values.means import Means, Sums, with_means
from analysis.values.sets import Ints
from analysis.values.similarity import ENDS, KINDS, WITHIN
from analysis.values.sums import GRAIN
from analysis.values.telling import Telling, Told

NO_ROUND = "no round with both sets labelled and a value in either"
NO_DEBATE = "no debate that disagreed in round 1 and has both ends labelled"

Pair: TypeAlias = tuple[int, int]
"""Two models, by number."""

ALL = ""
"""Stands for the models where all pairs of a panel of more than two seats are taken together."""


def estimate(counted: Counted, by: Sequence[str] = CONDITION) -> tuple[Told, Told]:
    """Mean similarity of two seats in rounds in which their verdicts agree, and in which they do not.

    Keys of the first: one and other, the models, both `ALL` for all pairs of a larger panel; kind, one of
    `KINDS`; within, one of `WITHIN`. The second tells by the same, but within, how much more alike they are
    in agreement, with p adjusted over all conditions and pairs. The denominator is rounds, of panels of more
    than two seats pairs of seats by rounds. `unreadable` are those in which a label of either is missing.
    """
    by = tuple(dict.fromkeys(("stage", *by, "panel")))
    within = Telling(counted, by, ("one", "other", "kind", "within"))
    apart = Telling(counted, by, ("one", "other", "kind"))
    sums = [f"rounds {kind}" for kind in KINDS]
    prepared = (_sums(counted, group, "rounds", sums, WITHIN) for group in counted.groups(by))
    for (group, pairs, lost), found in with_means(prepared, GRAIN):
        keys = _keys(counted, pairs, within=WITHIN, kind=KINDS)
        within.means(group, keys, found, lost, NO_ROUND)
        agreeing, differing = (np.flatnonzero(keys["within"] == name) for name in reversed(WITHIN))
        _apart(apart, group, keys, found, lost, agreeing, differing, NO_ROUND)
    return within.told_means(), apart.told_differences(["stage", "kind"])


def estimate_change(counted: Counted, by: Sequence[str] = CONDITION) -> tuple[Told, Told]:
    """Mean similarity in the first and the last round of debates that disagreed in round 1, and its change.

    Keys of the first: one, other and kind as in `estimate`; ended, one of `ENDS`; round, first or last. The
    second tells by the same, but round, how much more alike they are in the last: `relative` is the change of
    the means by the first mean; p is adjusted over all conditions and pairs. A debate counts where both ends
    can be measured. Its ends are its first and its last round, also where it went on after a consensus.
    """
    by = tuple(dict.fromkeys(("stage", *by, "panel")))
    ends = Telling(counted, by, ("one", "other", "kind", "ended", "round"))
    change = Telling(counted, by, ("one", "other", "kind", "ended"))
    sums = [f"{end} {kind}" for end, kind in product(("first", "last"), KINDS)]
    prepared = (_sums(counted, group, "ends", sums, ENDS) for group in counted.groups(by))
    for (group, pairs, lost), found in with_means(prepared, GRAIN):
        keys = _keys(counted, pairs, ended=ENDS, round=("first", "last"), kind=KINDS)
        ends.means(group, keys, found, lost, NO_DEBATE)
        last, first = (np.flatnonzero(keys["round"] == name) for name in ("last", "first"))
        _apart(change, group, keys, found, lost, last, first, NO_DEBATE)
    return ends.told_means(), change.told_differences(["stage", "kind", "ended"])


def _pairs(counted: Counted, group: Group, what: str) -> list[Pair]:
    """The pairs of models that were compared in these designs with any labelling; (-1, -1) for all pairs."""
    found = together(
        counted.rows(kind, name, group.designs)
        for name, _, _ in counted.labellings
        for kind in (what, f"{what} lost")
    )
    pairs = sorted(set(zip(found.one.tolist(), found.other.tolist(), strict=True)))
    return [*pairs, (-1, -1)] if pairs and group.keys["panel"].count("+") > 1 else pairs


def _sums(
    counted: Counted, group: Group, what: str, kinds: Sequence[str], items: Sequence[str]
) -> tuple[tuple[Group, list[Pair], list[Lost]], list[Sums]]:
    """What the means of each of `kinds` over `what` are made of, by pair and item, with each labelling."""
    pairs = _pairs(counted, group, what)
    cells = len(pairs) * len(items)
    sums: list[Sums] = []
    lost: list[Lost] = []
    for name, _, _ in counted.labellings:

        def rows(kind: str, name: str = name) -> tuple[Rows, Ints]:
            return _placed(counted, counted.rows(kind, name, group.designs), pairs, items)

        above = np.stack([dense(*rows(kind), cells, counted.cases) for kind in kinds], axis=2)
        sums.append((above.reshape(counted.cases, -1), dense(*rows(what), cells, counted.cases)))
        without = np.repeat(totals(*rows(f"{what} lost"), cells), len(kinds))
        lost.append((without, np.zeros_like(without)))
    return (group, pairs, lost), sums


def _placed(counted: Counted, rows: Rows, pairs: Sequence[Pair], items: Sequence[str]) -> tuple[Rows, Ints]:
    """Rows of sums, and the cell that each is in; once more for all pairs, where these are among them."""
    models, names = len(counted.names["one"]), counted.names["item"]
    item = np.array([items.index(name) if name in items else -1 for name in names], np.int64)
    table = np.full((models, max(models, len(counted.names["other"]))), 0)
    for number, (one, other) in enumerate(pairs):
        table[one, other] = number
    cell = table[rows.one, rows.other] * len(items) + item[rows.item]
    if (-1, -1) not in pairs:
        return rows, cell
    last = (len(pairs) - 1) * len(items) + item[rows.item]
    return together([rows, rows]), np.concatenate([cell, last])


def _keys(counted: Counted, pairs: Sequence[Pair], **columns: Sequence[str]) -> Columns:
    """The names of pairs and of what is told of each, the last of the `columns` varying fastest."""
    ones, others = counted.names["one"], counted.names["other"]
    named = [(ALL, ALL) if one < 0 else (ones[one], others[other]) for one, other in pairs]
    rows = [(*pair, *rest) for pair in named for rest in product(*columns.values())]
    names = ("one", "other", *columns)
    return {name: np.array([row[place] for row in rows], object) for place, name in enumerate(names)}


def _apart(
    telling: Telling,
    group: Group,
    keys: Columns,
    found: Sequence[Means],
    lost: Sequence[Lost],
    one: Ints,
    other: Ints,
    empty: str,
) -> None:
    """Tells the means at `one` less those at `other`."""
    both = [(each.take(one), each.take(other)) for each in found]
    left = [(each[0][one] + each[0][other], each[1][one] + each[1][other]) for each in lost]
    telling.differences(group, {name: own[one] for name, own in keys.items()}, both, left, empty)
