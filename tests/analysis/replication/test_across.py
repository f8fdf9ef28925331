"""Repetitions put together: figures worked out by hand, and those of statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.replication.across import across, heterogeneity, mean_of
from tests.analysis.replication.runs import found, played

COEF, SE = np.array([1.0, 1.2, 1.4]), np.full(3, 0.1)


def test_three_repetitions_by_hand() -> None:
    """sd 0.2, t with 2 degrees 4.30265; Q 100 (0.04 + 0.04) = 8, I2 6 / 8, tau2 6 / (300 - 100)."""
    told = mean_of(COEF, SE, 0.05)
    assert told["mean"] == pytest.approx(1.2)
    assert told["sd"] == pytest.approx(0.2)
    assert (told["low"], told["high"]) == pytest.approx((1.2 - 0.496826, 1.2 + 0.496826), abs=1e-5)
    assert (told["next_low"], told["next_high"]) == pytest.approx((1.2 - 0.993653, 1.2 + 0.993653), abs=1e-5)
    assert (told["total_low"], told["total_high"]) == pytest.approx(
        (1.2 - 0.097998, 1.2 + 0.097998), abs=1e-5
    )
    assert told["q"] == pytest.approx(8)
    assert told["q_p"] == pytest.approx(np.exp(-4))
    assert told["i2"] == pytest.approx(0.75)
    assert told["tau2"] == pytest.approx(0.03)


def test_repetitions_that_agree_have_no_heterogeneity() -> None:
    told = heterogeneity(np.array([1.0, 1.0, 1.05]), SE)
    assert told["q"] < 2
    assert (told["i2"], told["tau2"]) == (0, 0)


def test_heterogeneity_is_that_of_statsmodels() -> None:
    coef, se = np.array([0.3, 0.9, 0.1, 1.4]), np.array([0.2, 0.1, 0.15, 0.3])
    ours, theirs = heterogeneity(coef, se), combine_effects(coef, se**2, method_re="dl")
    assert ours["q"] == pytest.approx(theirs.q)
    assert ours["tau2"] == pytest.approx(theirs.tau2)
    assert ours["i2"] == pytest.approx(theirs.i2)


def test_one_repetition_has_no_spread() -> None:
    told = mean_of(COEF[:1], SE[:1], 0.1)
    assert told["mean"] == 1.0
    assert all(np.isnan(told[name]) for name in ("sd", "low", "next_low", "q", "i2"))


def test_a_mean_of_one_fit_has_the_error_of_that_fit() -> None:
    """And the mean of the same fit twice has it too: the cases are the same."""
    one = fit(rows_of(found(played(30, 2))[0].turns), "fe")
    assert across([one, one])["total_se"].to_numpy() == pytest.approx(one.table()["se"].to_numpy())
