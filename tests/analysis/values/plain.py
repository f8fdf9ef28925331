"""The measures of values counted plainly, as their definitions say it: what the fast ones must equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from tests.analysis.synthetic import Said
from tests.analysis.values.labelled import TAXONOMY, Labelled

Set = frozenset[str] | None
Sums = Counter[tuple[Any, ...]]


def sets(one: Labelled) -> list[list[Set]]:
    """The set of each turn, None where it has none: [round][seat]."""
    return [
        [None if label is None or label.startswith("(") else frozenset(label) for label in row]
        for row in one.values
    ]


def use(labelled: list[Labelled]) -> Sums:
    """Messages and values in them: (cell, model, value or what else is counted)."""
    sums: Sums = Counter()
    for one in labelled:
        for r, row in enumerate(sets(one)):
            for i, own in enumerate(row):
                if r < one.debate.inherited:
                    continue
                key = (*one.debate.cell, one.debate.models[i])
                if own is None:
                    sums[(*key, "failed" if one.values[r][i] is None else "unreadable")] += 1
                else:
                    sums[(*key, "n")] += 1
                    sums.update((*key, value) for value in own)
    return sums


def alike(one: frozenset[str], other: frozenset[str], kind: str) -> float | None:
    """The similarity of two sets; None where both are empty."""
    if not one | other:
        return None
    left, right = list(one - other), list(other - one)
    group = dict(zip(TAXONOMY.values, TAXONOMY.groups, strict=True))
    pairs = 0
    for value in left if kind == "soft" else ():
        partner = next((its for its in right if group[its] and group[its] == group[value]), None)
        if partner:
            right.remove(partner)
            pairs += 1
    return (len(one & other) + pairs / 2) / len(one | other)


def pairs(one: Labelled) -> Iterator[tuple[int, int, tuple[str, str]]]:
    """Every two seats of a debate, with their models in order, and for larger panels also as all pairs."""
    for i, j in combinations(range(len(one.debate.models)), 2):
        first, second = sorted((one.debate.models[i], one.debate.models[j]))
        yield i, j, (first, second)
        if len(one.debate.models) > 2:
            yield i, j, ("", "")


def within(labelled: list[Labelled], kind: str) -> Sums:
    """Similarities in rounds: (cell, models, within, "sum" or "n" or "lost")."""
    sums: Sums = Counter()
    for one in labelled:
        given = sets(one)
        for r, turns in enumerate(one.debate.said):
            for i, j, models in pairs(one):
                if r < one.debate.inherited or turns[i].label is None or turns[j].label is None:
                    continue
                how = "agreement" if turns[i].label == turns[j].label else "disagreement"
                _add(sums, (*one.debate.cell, *models, how), given[r][i], given[r][j], kind)
    return sums


def _add(sums: Sums, key: tuple[Any, ...], one: Set, other: Set, kind: str) -> None:
    found = None if one is None or other is None else alike(one, other, kind)
    if one is None or other is None:
        sums[(*key, "lost")] += 1
    elif found is not None:
        sums[(*key, "n")] += 1
        sums[(*key, "sum")] += found  # type: ignore[assignment]


def ends(labelled: list[Labelled], kind: str) -> Sums:
    """At both ends of debates that disagreed: (cell, models, ended, "first", "last", "n" or "lost")."""
    sums: Sums = Counter()
    for one in labelled:
        said, given = one.debate.said, sets(one)
        if len({turn.label for turn in said[0]} - {None}) < 2 or len(said) < 2:
            continue
        ended = "consensus" if any(_agree(row) for row in said) else "no consensus"
        for i, j, models in pairs(one):
            key = (*one.debate.cell, *models, ended)
            four = (given[0][i], given[0][j], given[-1][i], given[-1][j])
            if None in four:
                sums[(*key, "lost")] += 1
                continue
            first, last = alike(four[0], four[1], kind), alike(four[2], four[3], kind)  # type: ignore[arg-type]
            if first is not None and last is not None:
                sums[(*key, "n")] += 1
                sums[(*key, "first")] += first  # type: ignore[assignment]
                sums[(*key, "last")] += last  # type: ignore[assignment]
    return sums


def _agree(row: Sequence[Said]) -> bool:
    return len({turn.label for turn in row}) == 1 and row[0].label is not None


def inherited(labelled: list[Labelled], window: str) -> Sums:
    """Inherited values: (cell, model, seats, "n", "lost", ("offered", value) or value)."""
    sums: Sums = Counter()
    for one in labelled:
        if one.debate.protocol == "solo" or len(one.debate.models) < 2:
            continue
        given = sets(one)
        for i, model in enumerate(one.debate.models):
            verdicts = [row[i].label for row in one.debate.said]
            moved = [r for r, label in enumerate(verdicts) if label is not None and label != verdicts[0]]
            if verdicts[0] is None or (not moved and len(verdicts) < 2):
                continue
            seats, event = ("changed", moved[0]) if moved else ("kept", len(verdicts) - 1)
            rounds = {
                "event": [event],
                "final": [len(verdicts) - 1],
                "any": range(event if moved else 1, len(verdicts)),
            }
            later = [given[r][i] for r in rounds[window]]
            opponents = [given[0][j] for j in range(len(one.debate.models)) if j != i]
            key = (*one.debate.cell, model, seats)
            if None in (given[0][i], *later, *opponents):
                sums[(*key, "lost")] += 1
                continue
            offered = frozenset().union(*opponents) - given[0][i]  # type: ignore[operator, arg-type]
            sums[(*key, "n")] += 1
            sums.update((*key, ("offered", value)) for value in offered)
            sums.update((*key, value) for value in offered & frozenset().union(*later))  # type: ignore[arg-type]
    return sums
