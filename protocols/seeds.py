"""Chance as a pure function: every seed is derived by hashing, none is drawn from a clock or a state."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")

SEED_BITS = 31  # what every engine and API accepts as a non-negative 32-bit seed


def draw(seed: int, name: str) -> int:
    """A number in [0, 2**31) that depends on `seed` and `name` alone, uniform over names."""
    digest = blake2b(f"{seed}\x1f{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - SEED_BITS)


def debate_seed(run_seed: int, debate_id: str) -> int:
    """The seed of a debate: 31 bits from the run's seed and the debate's id."""
    return draw(run_seed, f"debate {debate_id}")


def ask_seed(debate_seed: int, step: int, slot: int) -> int:
    """The seed of one ask: 31 bits from its debate's seed and its place in the dialogue."""
    return draw(debate_seed, f"ask {step} {slot}")


def shuffled(items: Sequence[T], seed: int, name: str) -> list[T]:
    """The items in an order that depends on `seed` and `name` alone, every order about equally likely."""
    keys = [draw(seed, f"{name} {place}") for place in range(len(items))]
    return [items[place] for place in sorted(range(len(items)), key=keys.__getitem__)]
