"""The chance of simulated agents: numbers that depend on a seed and a name alone."""

from __future__ import annotations

from functools import lru_cache
from statistics import NormalDist

from protocols.seeds import SEED_BITS, draw

STANDARD_NORMAL = NormalDist()


def uniform(seed: int, name: str) -> float:
    """A number in (0, 1) that depends on `seed` and `name` alone."""
    return (draw(seed, name) + 0.5) / float(1 << SEED_BITS)


def normal(seed: int, name: str) -> float:
    """A standard normal number that depends on `seed` and `name` alone."""
    return STANDARD_NORMAL.inv_cdf(uniform(seed, name))


@lru_cache(maxsize=100_000)
def phi(phi_seed: int, case_id: str, label: str) -> float:
    """The leaning of a case to a label, in standard deviations: a standard normal number."""
    return normal(phi_seed, f"phi {case_id} {label}")
