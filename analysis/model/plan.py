"""Which debates are simulated: a case, models in speaking order, and the rules of a protocol for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.model.features import IN_TURN_FROM
from analysis.model.rows import Flags, Ints


class Condition(NamedTuple):
    """A protocol, the models in the order in which they speak, and when a debate ends.

    That is after so many `rounds`, and where it `stops` also after a round of consensus.
    """

    protocol: str
    order: tuple[str, ...]
    rounds: int = 4
    stops: bool = True


@dataclass(frozen=True, slots=True)
class Plan:
    """B debates of at most K seats and of D cases.

    `case`, B numbers below D; `model`, B by K places in `models`, -1 where there is no seat; `protocol`, B
    places in `protocols`; `limit`, B numbers of rounds after which a debate ends at the latest; `stops`, B
    flags: whether it ends with consensus, too.
    """

    case: Ints
    model: Ints
    protocol: Ints
    limit: Ints
    stops: Flags
    cases: tuple[str, ...]
    models: tuple[str, ...]
    protocols: tuple[str, ...]

    @property
    def rounds(self) -> int:
        """The most rounds that any debate may take."""
        return int(self.limit.max())

    @property
    def seats(self) -> Ints:
        """B numbers: how many seats each debate has."""
        seats: Ints = (self.model >= 0).sum(axis=1)
        return seats

    def in_turn(self, round: int) -> Flags:
        """B flags: whether a seat hears those who spoke earlier in this round, from 1."""
        first = [IN_TURN_FROM.get(protocol, np.inf) for protocol in self.protocols]
        flags: Flags = np.array(first)[self.protocol] <= round
        return flags

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
    together = [Condition("synchronous", pair) for pair in pairs]
    in_turn = [*permutations(models, 2), *permutations(models, 3)]
    return together + [Condition("round_robin", order) for order in in_turn]


def plan(conditions: Sequence[Condition], cases: int, repetitions: int = 1) -> Plan:
    """Every condition on each of so many cases, `repetitions` times: by case, then repetition."""
    models = tuple(dict.fromkeys(model for each in conditions for model in each.order))
    protocols = tuple(dict.fromkeys(each.protocol for each in conditions))
    seated = np.full((len(conditions), max(len(each.order) for each in conditions)), -1, np.int64)
    for number, each in enumerate(conditions):
        seated[number, : len(each.order)] = [models.index(model) for model in each.order]
    times = cases * repetitions
    return Plan(
        case=np.repeat(np.arange(cases), len(conditions) * repetitions),
        model=np.tile(seated, (times, 1)),
        protocol=np.tile([protocols.index(each.protocol) for each in conditions], times),
        limit=np.tile([each.rounds for each in conditions], times),
        stops=np.tile([each.stops for each in conditions], times),
        cases=tuple(f"case {number:05}" for number in range(cases)),
        models=models,
        protocols=protocols,
    )
