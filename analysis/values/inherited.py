"""Inherited values estimated: how often they are taken over at a change of verdict, and whether by chance."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

from analysis.tally import CONDITION
from analysis.values import inheritance, permutation
from analysis.values.counted import Counted, Group, Rows, dense, together, totals
from analysis.values.frames import Lost, adjusted_within
from analysis.values.inheritance import SEATS
from analysis.values.means import Floats, Sums, with_means
from analysis.values.sets import Bools, Ints
from analysis.values.telling import JUDGING, Telling, Told
from analysis.values.use import by_value

PER = ("seats", "offered")
"""What a rate is by: all seats that changed (or kept) their verdict, or those offered the value."""

EMPTIES = {
    "changed": "no change of verdict with the labels that it takes",
    "kept": "no kept verdict with the labels that it takes",
}
NEITHER = "no change of verdict, or no kept one, with the labels that it takes"

CORES = os.cpu_count() or 1
"""Tests that are drawn at once; what each gives does not depend on the others."""

PERMUTATION = "permutation of opponents across cases"


def estimate(counted: Counted, by: Sequence[str] = CONDITION, per: str = "seats") -> tuple[Told, Told]:
    """Rates at which each value is inherited, by model, in each condition; the panel is always among `by`.

    Keys of the first: model; opponents, joined by '+'; seats, one of `SEATS`; value. Behind the columns of
    estimates stand p, p_adjusted over all values of the list, those without a p included (as 1), and test:
    that of the permutation, of those that changed.
    The second is the difference between those that changed and those that kept their verdict, by model,
    opponents and value. `per` is one of `PER`. `unreadable` are seats that lack a label.
    """
    if per not in PER:
        raise ValueError(f"per is {per!r}; it may be {', '.join(PER)}")
    by = tuple(dict.fromkeys(("stage", *by, "panel")))
    rates = Telling(counted, by, ("model", "opponents", "seats", "value"))
    apart = Telling(counted, by, ("model", "opponents", "value"))
    tested: list[Floats] = []
    prepared = (_sums(counted, group, per) for group in counted.groups(by))
    for (group, models, lost), found in with_means(prepared):
        whose = _whose(counted, group, models)
        changed, kept = np.split(np.arange(len(whose) * len(counted.values) * 2), 2)
        for item, at in zip(SEATS, (changed, kept), strict=True):
            keys = by_value(whose.assign(seats=item), counted.values)
            own, left = [one.take(at) for one in found], [(one[at], none[at]) for one, none in lost]
            rates.means(group, keys, own, left, EMPTIES[item])
            tested += _tests(counted, group, models, item)
        both = [(one.take(changed), one.take(kept)) for one in found]
        left = [(one[changed] + one[kept], none[changed]) for one, none in lost]
        apart.differences(group, by_value(whose, counted.values), both, left, NEITHER)
    told = rates.told_means(proportion=True)
    p = np.concatenate([np.zeros(0), *tested])
    frame = told.frame.assign(p=p, p_adjusted=np.nan, test=np.where(np.isnan(p), "", PERMUTATION))
    frame = adjusted_within(frame, [*by, *JUDGING, "model", "seats"])
    return Told(frame, told.noise), apart.told_differences([*by, "model"])


def _models(counted: Counted, group: Group) -> list[int]:
    """The models with seats that count, or are lost, in these designs."""
    found = together(
        counted.rows(what, name, group.designs)
        for name, _, _ in counted.labellings
        for what in (inheritance.COUNTED, inheritance.LOST)
    )
    return sorted(set(found.one.tolist()))


def _whose(counted: Counted, group: Group, models: Sequence[int]) -> pd.DataFrame:
    """The model and its opponents, for each of the models."""
    names = [counted.names["one"][model] for model in models]
    opponents = []
    for name in names:
        panel = group.keys["panel"].split("+")
        panel.remove(name)
        opponents.append("+".join(sorted(panel)))
    return pd.DataFrame({"model": names, "opponents": opponents}, dtype="str")


def _sums(counted: Counted, group: Group, per: str) -> tuple[tuple[Group, list[int], list[Lost]], list[Sums]]:
    """What the rates are made of, by kind of seat, model and value, with each labelling."""
    models = _models(counted, group)
    cells, values = len(models) * len(SEATS), len(counted.values)
    sums: list[Sums] = []
    lost: list[Lost] = []
    for name, _, _ in counted.labellings:

        def rows(what: str, name: str = name) -> tuple[Rows, Ints]:
            own = counted.rows(what, name, group.designs)
            return own, _cell(counted, own, models)

        above = dense(*rows(inheritance.INHERITED), cells, counted.cases, values)
        if per == "seats":
            sums.append((above, dense(*rows(inheritance.COUNTED), cells, counted.cases)))
        else:
            sums.append((above, dense(*rows(inheritance.OFFERED), cells, counted.cases, values)))
        without = np.repeat(totals(*rows(inheritance.LOST), cells), values)
        lost.append((without, np.zeros_like(without)))
    return (group, models, lost), sums


def _cell(counted: Counted, rows: Rows, models: Sequence[int]) -> Ints:
    """Where each row of sums counts: those that changed first, each kind by model."""
    place = np.full(len(counted.names["one"]), -1)
    place[list(models)] = np.arange(len(models))
    items = counted.names["item"]
    kind = np.array([SEATS.index(name) if name in SEATS else -1 for name in items], np.int64)
    return np.asarray(kind[rows.item] * len(models) + place[rows.one], np.int64)


def _tests(counted: Counted, group: Group, models: Sequence[int], item: str) -> list[Floats]:
    """The p by labelling, model and value, in this order; null for seats that kept their verdict."""
    width = len(counted.values)
    if item != SEATS[0]:
        return [np.full(width * len(models), np.nan) for _ in counted.labellings]
    whose = [(name, model) for name, _, _ in counted.labellings for model in models]
    with ThreadPoolExecutor(CORES) as cores:  # numpy lets go of the interpreter where it looks up and adds
        return list(cores.map(lambda own: _test(counted, group, *own), whose))


def _test(counted: Counted, group: Group, labelling: str, model: int) -> Floats:
    """The p of each value for one model."""
    events, new, heard = (
        rows.where(rows.one == model)
        for rows in (
            counted.rows(what, labelling, group.designs)
            for what in (inheritance.EVENTS, inheritance.NEW, inheritance.HEARD)
        )
    )
    order = np.argsort(events.item)
    named = events.item[order]

    def matrix(rows: Rows) -> Bools:
        found = np.zeros((len(named), len(counted.values)), np.bool_)
        found[np.searchsorted(named, rows.item), rows.value] = True
        return found

    return permutation.p_values(matrix(new), matrix(heard), events.case_id[order])
