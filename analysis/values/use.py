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
from analysis.values.counted import Counted, Group
from analysis.values.frames import Columns, Lost, headed
from analysis.values.means import Sums, with_means
from analysis.values.messages import Cells, Messages, cells, messages
from analysis.values.sets import Ints
from analysis.values.telling import Telling, Told

EMPTY = "no labelled message"


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
    points, `relative` that difference by the share under `against`. Only cases with labelled messages of
    the model under both count. Each stands against one of `baselines`, if not told otherwise what is
    usual (the steering default), where that occurs, else against all that sort before it.
    """
    rest = tuple(name for name in dict.fromkeys(("stage", *by)) if name != vary)
    telling = Telling(counted, rest, ("model", vary, "against", "value"))
    sides = list(counted.groups((*rest, vary)))
    frame = pd.DataFrame([group.keys for group in sides], columns=[*rest, vary], dtype="str")
    usual = [value for value in frame[vary] if set(value.split("+")) == {USUAL.get(vary)}]
    found = pairs(frame, list(rest), vary, baselines or usual).to_dict("records")
    chosen = (
        [
            next(
                group
                for group in sides
                if group.keys == {**{name: pair[name] for name in rest}, vary: pair[side]}
            )
            for side in ("value", "against")
        ]
        for pair in found
    )
    prepared = (_paired(counted, one, rounds) for one in chosen)
    for (one, keys, lost), made in with_means(prepared):
        group = Group({name: one[0].keys[name] for name in rest}, ())
        keys = headed({vary: one[0].keys[vary], "against": one[1].keys[vary]}, keys)
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


def _paired(
    counted: Counted, sides: Sequence[Group], rounds: str
) -> tuple[tuple[Sequence[Group], Columns, list[Lost]], list[Sums]]:
    """The messages of two sides in the cases that both have, of all models that speak on either."""
    speaking = cells(counted, [design for side in sides for design in side.designs], rounds)
    sums: list[Sums] = []
    lost: list[Lost] = []
    for name, _, _ in counted.labellings:
        one, other = (messages(counted, name, side.designs, speaking, rounds) for side in sides)
        both = (one.all != 0) & (other.all != 0)
        each = np.repeat(both, len(counted.values), axis=1)
        sums += [(side.uses * each, side.all * both) for side in (one, other)]
        lost.append((one.lost[0] + other.lost[0], one.lost[1] + other.lost[1]))
    return (sides, by_value(speaking.keys, counted.values), lost), sums


def _columns(cell: int, values: int) -> Ints:
    return np.arange(cell * values, (cell + 1) * values)
