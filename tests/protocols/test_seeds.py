"""Seeds: 31 bits, fixed by their names, spread evenly."""

from __future__ import annotations

from protocols.seeds import ask_seed, debate_seed, draw


def test_seeds_are_fixed_for_all_time() -> None:
    """A run of today must be repeatable by a later version."""
    assert (draw(7, "display"), debate_seed(7, "a1"), ask_seed(7, 0, 1)) == (221959630, 928663968, 1865555990)


def test_seeds_fit_every_engine() -> None:
    assert all(0 <= ask_seed(seed, 3, 1) < 2**31 for seed in range(2_000))


def test_places_and_debates_have_their_own_seeds() -> None:
    """No two of 5,000 asks share a seed, nor do steps and slots run into each other."""
    seeds = {ask_seed(debate_seed(7, str(d)), s, t) for d in range(10) for s in range(50) for t in range(10)}
    assert len(seeds) == 5_000


def test_draws_are_even() -> None:
    """The mean of 4,000 draws lies within four standard errors of the middle."""
    mean = sum(draw(7, str(number)) for number in range(4_000)) / 4_000 / 2**31
    assert abs(mean - 0.5) < 4 * (1 / 12 / 4_000) ** 0.5
