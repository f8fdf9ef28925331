"""What draws say of a size: hand-computed."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

from analysis.power.expected import equivalence, expected, power
from analysis.power.rates import Contrast
from analysis.power.size import Size
from analysis.power.trial import Trial


def test_power_is_that_of_the_two_sided_normal_test() -> None:
    """5% where there is nothing; 80% at 2.802 standard errors; the same on both sides."""
    one = np.ones(1)
    assert power(0.0, one) == pytest.approx(0.05)
    assert power(2.8016, one) == pytest.approx(0.8, abs=1e-4)
    assert power(-2.8016, one) == pytest.approx(power(2.8016, one))


def test_equivalence_is_that_of_two_one_sided_tests() -> None:
    """From log 0.8 to log 1.2; never found where the error is large, always where it is tiny."""
    assert equivalence(0.0, np.array([1e-4])) == pytest.approx(1.0)
    assert equivalence(0.0, np.array([0.13])) == 0.0
    assert equivalence(np.log(1.2), np.array([0.01])) == pytest.approx(0.05, abs=1e-6)
    z = (np.log(1.2) - 1.6449 * 0.08) / 0.08, (np.log(0.8) + 1.6449 * 0.08) / 0.08
    assert equivalence(0.0, np.array([0.08])) == pytest.approx(_phi(z[0]) - _phi(z[1]), abs=1e-4)


def _phi(z: float) -> float:
    return NormalDist().cdf(z)


SIZE = Size(1, 10)


def drawn(number: int, coef: float, se: float, size: Size = SIZE) -> Trial:
    found = pd.DataFrame(
        [("slope", "alpha", "a", "", 1.0, coef, se)],
        columns=["kind", "term", "model", "other", "truth", "coef", "se"],
    )
    return Trial(size, number, 100 + number, number != 1, found, np.array([0.1 * (number + 1)]))


CONTRASTS = [Contrast("one − other", "consensus", (0,), (1,))]


def test_draws_are_summed_up_by_size() -> None:
    trials = [drawn(0, 1.2, 0.1), drawn(1, 1.1, 0.1), drawn(2, 0.3, 0.4), drawn(0, 1.0, 0.1, Size(2, 10))]
    found = expected(trials, CONTRASTS)
    assert found.sizes.to_dict("records")[0] == {
        "dilemmas": 10,
        "repetitions": 1,
        "draws": 3,
        "converged": 2,
        "verdicts": 101.0,
        "per_dilemma": 10.1,
    }
    row = found.parameters.iloc[0]
    assert row["se"] == pytest.approx(0.2)
    assert row["half_width"] == pytest.approx(1.96 * 0.2, rel=1e-4)
    assert row["odds_low"] == pytest.approx(np.exp(1 - 1.96 * 0.2), rel=1e-3)
    assert row["bias"] == pytest.approx((0.2 + 0.1 - 0.7) / 3)
    assert row["bias_error"] == pytest.approx(np.std([1.2, 1.1, 0.3], ddof=1) / np.sqrt(3))
    assert row["coverage"] == pytest.approx(2 / 3)  # 0.2 is more than 1.96 × 0.1
    assert row["rejected"] == pytest.approx(2 / 3)  # 0.3 is less than 1.96 × 0.4
    assert row["power"] == pytest.approx(power(1.0, np.array([0.1, 0.1, 0.4])).mean())
    assert found.rates["half_width"].tolist() == pytest.approx([0.2, 0.1])


def test_a_bias_beyond_its_error_moves_power_and_equivalence() -> None:
    trials = [drawn(number, 0.7 + 0.001 * number, 0.1) for number in range(4)]
    row = expected(trials, CONTRASTS).parameters.iloc[0]
    assert row["power"] == pytest.approx(float(power(0.7015, np.array([0.1]))[0]))
    assert row["equivalence"] == pytest.approx(float(equivalence(-0.2985, np.array([0.1]))[0]))


def test_a_draw_that_does_not_tell_a_parameter_is_left_out_of_it() -> None:
    found = expected([drawn(0, 1.0, 0.1), drawn(1, np.nan, np.nan)], CONTRASTS)
    assert found.parameters["draws"].tolist() == [1]
    assert found.sizes["draws"].tolist() == [2]
