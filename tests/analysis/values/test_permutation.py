"""The permutation test of inheritance: exact where it can be, quiet where nothing is inherited."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom

from analysis.values.permutation import DRAWS, p_values


def events(seed: int, n: int, planted: float) -> tuple[np.ndarray, np.ndarray]:
    """Events of 6 values; value 0 is newly named where the opponent had it, in this share of events."""
    dice = np.random.default_rng(seed)
    new, heard = dice.random((n, 6)) < 0.2, dice.random((n, 6)) < 0.4
    new[:, 0] |= heard[:, 0] & (dice.random(n) < planted)
    return new, heard


def test_one_event_per_case_is_hypergeometric() -> None:
    new, heard = events(1, 60, 0.3)
    p = p_values(new, heard, np.arange(60))
    for value in range(6):
        seen = int((new & heard)[:, value].sum())
        assert p[value] == pytest.approx(
            hypergeom.sf(seen - 1, 60, heard[:, value].sum(), new[:, value].sum())
        )


def test_draws_come_near_the_exact_p() -> None:
    new, heard = events(2, 60, 0.1)
    twice = p_values(
        np.repeat(new, 2, axis=0)[1:], np.repeat(heard, 2, axis=0)[1:], np.repeat(np.arange(60), 2)[1:]
    )
    exact = p_values(new, heard, np.arange(60))
    assert np.abs(twice - exact).max() < 0.1, "a case with a twin event is about the same case"


@pytest.mark.parametrize("times", [1, 2])
def test_planted_inheritance_is_found_and_nothing_else(times: int) -> None:
    new, heard = (np.repeat(one, times, axis=0) for one in events(3, 80, 0.5))
    p = p_values(new, heard, np.repeat(np.arange(80), times))
    assert p[0] < 0.001
    assert (p[1:] > 0.01).all()


def test_no_p_is_0_however_clear() -> None:
    same = np.eye(30, dtype=bool)[:, :3] | (np.arange(30) < 15)[:, None]
    assert (
        p_values(np.repeat(same, 2, axis=0), np.repeat(same, 2, axis=0), np.repeat(np.arange(30), 2))
        >= 1 / (DRAWS + 1)
    ).all()


def test_values_that_nobody_could_inherit_are_not_tested() -> None:
    new, heard = events(4, 20, 0)
    new[:, 1], heard[:, 2] = False, False
    p = p_values(new, heard, np.arange(20))
    assert np.isnan(p[1])
    assert np.isnan(p[2])
    assert not np.isnan(p[3])
    assert np.isnan(p_values(new, heard, np.zeros(20, np.int64))).all(), "one case"


def test_the_order_of_events_does_not_matter() -> None:
    new, heard = events(5, 40, 0.2)
    cases, order = np.arange(40) // 2, np.random.default_rng(0).permutation(40)
    assert np.array_equal(p_values(new, heard, cases), p_values(new[order], heard[order], cases[order]))
