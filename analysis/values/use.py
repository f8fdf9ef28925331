"""Use of values estimated: the share of a model's messages that a value occurs in, and how models differ.

In all frames `unreadable` are messages whose label could not be read or is an error, `failed` those that
have no label of that judge and pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.contrast import pairs
from analysis.naming import USUAL
from analysis.tally import CONDITION
from analysis.values.counted import Counted, Group, Row
from analysis.values.frames import Columns, Lost, headed
from analysis.values.means import Sums, with_means
from analysis.values.messages import Cells, Messages, cells, messages
from analysis.values.sets import Ints
from analysis.values.telling import Telling, Told

EMPTY = "no labelled message"

Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""Designs to be compared: those under a value of a column, and those under another."""


def estimate(counted: Counted, by: Sequence[str] = CONDITION, rounds: str = "all") -> tuple[Told, Told]:
    """Use of each value by model, and the differences between the models of a panel, in each condition.

    The panel is always among the columns `by`. Keys of the first are model and value; of the second model,
    against and value, for every two models of a panel, with p adjusted over all values of the list, used or
    not. `rounds` is all, or 1 for the messages of round 1 alone.
    """
    by = tuple(dict.fromkeys(("stage", *by, "panel")))
    use, apart = Telling(counted, by, ("model", "value")), Telling(counted, by, ("model", "against", "value"))
    for (group, speaking, said), shares in with_means(_said(counted, by, rounds)):
        keys = by_value(speaking.keys, counted.values)
        use.means(group, keys, shares, [one.lost for one in said], EMPTY)
        for place, other in combinations(range(len(speaking)), 2):
            at, to = (_columns(cell, len(counted.values)) for cell in (place, other))
            named = {"model": keys["model"][at], "against": keys["model"][to], "value": keys["value"][at]}
            both = [(share.take(at), share.take(to)) for share in shares]
            lost = [(one.lost[0][at] + one.lost[0][to], one.lost[1][at] + one.lost[1][to]) for one in said]
            apart.differences(group, named, both, lost, EMPTY)
    return use.told_means(proportion=True), apart.told_differences([*by, "model", "against"])


def estimate_verdicts(counted: Counted, by: Sequence[str] = CONDITION, rounds: str = "all") -> Told:
    """Use of each value by model and verdict of the message, in each condition: keys model, verdict, value.

    Messages whose verdict could not be read are in none.
    """
    by = tuple(dict.fromkeys(("stage", *by)))
    telling = Telling(counted, by, ("model", "verdict", "value"))
    for (group, speaking, said), shares in with_means(_said(counted, by, rounds, verdicts=True)):
        keys = by_value(speaking.keys, counted.values)
        telling.means(group, keys, shares, [one.lost for one in said], EMPTY)
    return telling.told_means(proportion=True)


def contrasts(
    counted: Counted,
    vary: str = "steering",
    by: Sequence[str] = CONDITION,
    baselines: Collection[str] = (),
    rounds: str = "all",
) -> Told:
    """Differences in use between two values of the column `vary` of the condition, by model, paired by case.

    Keys: model; the column `vary`; against, the other value of it; value. `estimate` is the difference in
    points, `relative` that difference by the share under `against`. Compared are debates that are alike in
    all other columns of the condition, so of one panel, protocol and order; what `by` leaves out is pooled
    over those that have both. Only cases with labelled messages of the model under both count, in each of
    them. Each stands against one of `baselines`, if not told otherwise what is usual (the steering default),
    where that occurs, else against all that sort before it.
    """
    rest = tuple(name for name in dict.fromkeys(("stage", *by)) if name != vary)
    telling = Telling(counted, rest, ("model", vary, "against", "value"))
    prepared = (
        _paired(counted, keys, sides, rounds) for keys, sides in _opposed(counted, vary, rest, baselines)
    )
    for (head, keys, lost), made in with_means(prepared):
        group = Group({name: head[name] for name in rest}, ())
        keys = headed({vary: head["value"], "against": head["against"]}, keys)
        both = list(zip(made[::2], made[1::2], strict=True))
        telling.differences(group, keys, both, lost, EMPTY, paired=True)
    return telling.told_differences([*rest, "model", vary, "against"])


def by_value(keys: pd.DataFrame, values: Sequence[str]) -> Columns:
    """`keys`, each repeated for every value."""
    repeated = {str(name): np.repeat(keys[name].to_numpy(object), len(values)) for name in keys}
    return {**repeated, "value": np.tile(np.array(values, object), len(keys))}


def _said(
    counted: Counted, by: Sequence[str], rounds: str, verdicts: bool = False
) -> Iterator[tuple[tuple[Group, Cells, list[Messages]], list[Sums]]]:
    """The messages of each condition, with each labelling, and the sums that the shares are made of."""
    for group in counted.groups(by):
        speaking = cells(counted, group.designs, rounds, verdicts)
        said = [messages(counted, name, group.designs, speaking, rounds) for name, _, _ in counted.labellings]
        yield (group, speaking, said), [(one.uses, one.all) for one in said]


def _opposed(
    counted: Counted, vary: str, rest: Sequence[str], baselines: Collection[str]
) -> Iterator[tuple[Row, list[Sides]]]:
    """For each two values of `vary` the designs that differ in it alone, by `rest`, value and against."""
    others = [name for name in CONDITION if name != vary]
    designs = {tuple(group.keys.values()): group.designs for group in counted.groups((*others, vary))}
    frame = pd.DataFrame(list(designs), columns=[*others, vary], dtype="str")
    usual = [value for value in frame[vary] if set(value.split("+")) == {USUAL.get(vary)}]
    found = pairs(frame, others, vary, baselines or usual)
    named = [*rest, "value", "against"]
    for key, alike in found.groupby(named):
        each = alike[[*others, "value", "against"]].itertuples(index=False, name=None)
        sides = [(designs[*own, one], designs[*own, other]) for *own, one, other in each]
        yield dict(zip(named, map(str, key), strict=True)), sides


def _paired(
    counted: Counted, head: Row, sides: Sequence[Sides], rounds: str
) -> tuple[tuple[Row, Columns, list[Lost]], list[Sums]]:
    """The messages of both sides in the cases that both have, of all models that speak on either."""
    speaking = cells(counted, [design for pair in sides for side in pair for design in side], rounds)
    sums: list[Sums] = []
    lost: list[Lost] = []
    for name, _, _ in counted.labellings:
        found = [[messages(counted, name, side, speaking, rounds) for side in pair] for pair in sides]
        both = [(one.all != 0) & (other.all != 0) for one, other in found]
        for side in (0, 1):
            own = [(pair[side], kept) for pair, kept in zip(found, both, strict=True)]
            uses = sum(one.uses * np.repeat(kept, len(counted.values), axis=1) for one, kept in own)
            sums.append((np.asarray(uses), np.asarray(sum(one.all * kept for one, kept in own))))
        left = [one.lost for pair in found for one in pair]
        lost.append((np.sum([one for one, _ in left], axis=0), np.sum([one for _, one in left], axis=0)))
    return (head, by_value(speaking.keys, counted.values), lost), sums


def _columns(cell: int, values: int) -> Ints:
    return np.arange(cell * values, (cell + 1) * values)
