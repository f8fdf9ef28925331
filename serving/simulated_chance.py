"""The chance of simulated agents: numbers that depend on a seed and a name alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import TypeVar

from protocols.seeds import SEED_BITS, draw

T = TypeVar("T")

STANDARD_NORMAL = NormalDist()


def uniform(seed: int, name: str) -> float:
    """A number in (0, 1) that depends on `seed` and `name` alone."""
    return (draw(seed, name) + 0.5) / float(1 << SEED_BITS)


def normal(seed: int, name: str) -> float:
    """A standard normal number that depends on `seed` and `name` alone."""
    return STANDARD_NORMAL.inv_cdf(uniform(seed, name))


def drawn(items: Sequence[T], weights: Sequence[float], u: float) -> T:
    """The item in whose part of (0, 1) `u` falls, when the parts are as wide as the weights, side by side."""
    remaining = u * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        remaining -= weight
        if remaining < 0:
            return item
    return items[-1]


def one_of(items: Sequence[T], u: float) -> T:
    """The item in whose part of (0, 1) `u` falls, when all parts are equally wide."""
    return items[int(u * len(items))]


@lru_cache(maxsize=100_000)
def phi(phi_seed: int, case_id: str, label: str) -> float:
    """The leaning of a case to a label, in standard deviations: a standard normal number."""
    return normal(phi_seed, f"phi {case_id} {label}")


@lru_cache(maxsize=100_000)
def shock(phi_seed: int, debate_id: str, label: str) -> float:
    """The leaning of a debate to a label, in standard deviations: a standard normal number."""
    return normal(phi_seed, f"shock {debate_id} {label}")
