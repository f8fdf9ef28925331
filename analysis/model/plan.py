"""Which debates are simulated: a case, models in speaking order, and the rules of a protocol for each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np
import pandas as pd

from analysis.model.features import SEQUENTIAL
from analysis.model.rows import Ints

Condition = tuple[str, tuple[str, ...]]
"""A protocol, and the models in the order in which they speak."""


@dataclass(frozen=True, slots=True)
class Plan:
    """B debates of at most K seats and of D cases.

    `case`, B numbers below D; `model`, B by K places in `models`, -1 where there is no seat; `protocol`, B
    places in `protocols`; `rounds`, after how many a debate ends at the latest.
    """

    case: Ints
    model: Ints
    protocol: Ints
    cases: tuple[str, ...]
    models: tuple[str, ...]
    protocols: tuple[str, ...]
    rounds: int = 4

    @property
    def seats(self) -> Ints:
        """B numbers: how many seats each debate has."""
        seats: Ints = (self.model >= 0).sum(axis=1)
        return seats

    @property
    def sequential(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """B flags: whether a seat hears those who spoke earlier in the round."""
        return np.isin(self.protocols, SEQUENTIAL)[self.protocol]

    def condition(self) -> pd.Series[str]:
        """The condition of each debate in words, as "synchronous: gpt, claude"."""
        told = np.column_stack([self.protocol, self.model])
        distinct, place = np.unique(told, axis=0, return_inverse=True)
        words = [
            f"{self.protocols[one[0]]}: {', '.join(self.models[m] for m in one[1:] if m >= 0)}"
            for one in distinct
        ]
        return pd.Series(np.array(words, dtype=object)[place.reshape(-1)], dtype="str")


def full_design(models: tuple[str, ...]) -> list[Condition]:
    """The conditions of the paper: synchronous pairs, and round-robin pairs and threes in all orders."""
    pairs = [(a, b) for i, a in enumerate(models) for b in models[i + 1 :]]
    together: list[Condition] = [("synchronous", pair) for pair in pairs]
    in_turn = [*permutations(models, 2), *permutations(models, 3)]
    return together + [("round_robin", order) for order in in_turn]


def plan(conditions: list[Condition], cases: int, repetitions: int = 1, rounds: int = 4) -> Plan:
    """Every condition on each of so many cases, `repetitions` times."""
    models = tuple(dict.fromkeys(model for _, order in conditions for model in order))
    protocols = tuple(dict.fromkeys(protocol for protocol, _ in conditions))
    seated = np.full((len(conditions), max(len(order) for _, order in conditions)), -1, np.int64)
    for number, (_, order) in enumerate(conditions):
        seated[number, : len(order)] = [models.index(model) for model in order]
    played = np.array([protocols.index(protocol) for protocol, _ in conditions], np.int64)
    each = len(conditions) * repetitions
    return Plan(
        case=np.repeat(np.arange(cases), each),
        model=np.tile(seated, (cases * repetitions, 1)),
        protocol=np.tile(played, cases * repetitions),
        cases=tuple(f"case {number:05}" for number in range(cases)),
        models=models,
        protocols=protocols,
        rounds=rounds,
    )
