"""How sure differences of rates between conditions would be: consensus and changes of verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.bootstrap import LEVEL, draws
from analysis.model.plan import Condition
from analysis.model.rows import Floats
from analysis.model.simulate import Verdicts
from analysis.power.size import Size

MEASURES = ("consensus", "change of verdict")
"""Whether all agree at the end of a round; whether any seat leaves the verdict it gave first."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference: the mean rate of some conditions less that of others, by their places."""

    name: str
    measure: str
    plus: tuple[int, ...]
    minus: tuple[int, ...]


def contrasts(conditions: Sequence[Condition]) -> list[Contrast]:
    """Of every panel: synchronous less round-robin debates, and each order of speaking less the first."""
    return [
        Contrast(name, measure, plus, minus)
        for name, plus, minus in _differences(conditions)
        for measure in MEASURES
    ]


def half_widths(wanted: Sequence[Contrast], verdicts: Verdicts, size: Size) -> Floats:
    """Half the width of the 95% interval of each contrast, by bootstrap over dilemmas; as a share of debates.

    `verdicts` are by dilemma, then repetition, then condition, as `plan` has them.
    """
    if not wanted:
        return np.zeros(0)
    shape = (size.dilemmas, size.repetitions, -1)
    rates = {
        name: happened.reshape(shape).mean(axis=1)
        for name, happened in zip(MEASURES, (_consensus(verdicts), _changed(verdicts)), strict=True)
    }
    moved = np.column_stack([_difference(rates[each.measure], each) for each in wanted])
    drawn = np.concatenate([weights @ moved for weights in draws(size.dilemmas)]) / size.dilemmas
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    half: Floats = (high - low) / 2
    return half


def _differences(
    conditions: Sequence[Condition],
) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    panels: dict[tuple[tuple[str, ...], int, bool], dict[str, list[int]]] = {}
    for place, each in enumerate(conditions):
        if len(each.order) > 1:
            panel = (tuple(sorted(each.order)), each.rounds, each.stops)
            panels.setdefault(panel, {}).setdefault(each.protocol, []).append(place)
    usual = next(iter(panels), ((), 0, True))[1:]
    for (_, rounds, stops), by_protocol in panels.items():
        told = "" if (rounds, stops) == usual else _rules(rounds, stops)
        together, in_turn = by_protocol.get("synchronous", []), by_protocol.get("round_robin", [])
        if together and in_turn:
            panel_words = ", ".join(conditions[together[0]].order)
            yield f"synchronous − round robin: {panel_words}{told}", tuple(together), tuple(in_turn)
        for place in in_turn[1:]:
            first, other = (", ".join(conditions[at].order) for at in (in_turn[0], place))
            yield f"order {other} − {first}{told}", (place,), (in_turn[0],)


def _rules(rounds: int, stops: bool) -> str:
    return f" (rounds {rounds}, stop {'consensus' if stops else 'never'})"


def _difference(rates: Floats, wanted: Contrast) -> Floats:
    """Of each dilemma; `rates` is dilemmas by conditions."""
    moved: Floats = rates[:, wanted.plus].mean(axis=1) - rates[:, wanted.minus].mean(axis=1)
    return moved


def _consensus(verdicts: Verdicts) -> Floats:
    """Whether each debate had a round in which all seats agreed, as 0 or 1."""
    seats = (verdicts[:, :1] >= 0).sum(axis=2)
    same = (verdicts == verdicts.max(axis=2, keepdims=True)) & (verdicts >= 0)
    consensus: Floats = (same.sum(axis=2) == seats).any(axis=1).astype(np.float64)
    return consensus


def _changed(verdicts: Verdicts) -> Floats:
    """Whether any seat of each debate later gave another verdict than its first, as 0 or 1."""
    moved = (verdicts >= 0) & (verdicts != verdicts[:, :1])
    changed: Floats = moved.any(axis=(1, 2)).astype(np.float64)
    return changed
