"""Wald tests keep their level also where their covariance comes from few clusters."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.model import wald as tests
from analysis.model.wald import wald


def test_with_few_clusters_a_true_hypothesis_is_rejected_as_often_as_said() -> None:
    """Means of normal clusters: Hotelling's distribution is exact, chi-square would reject a quarter."""
    clusters, size, draws = 20, 6, 2000
    rejected = rejected_by_chi2 = 0
    for draw in np.random.default_rng(1).normal(size=(draws, clusters, size)):
        test = wald("all are 0", draw.mean(axis=0), np.cov(draw.T) / clusters, clusters)
        rejected += test.p < 0.05
        rejected_by_chi2 += tests.Test("all are 0", test.statistic, test.df).p < 0.05
    assert rejected / draws == pytest.approx(0.05, abs=0.015)
    assert rejected_by_chi2 / draws > 0.15


def test_many_clusters_are_as_good_as_a_known_covariance() -> None:
    assert wald("", np.ones(2), np.eye(2), 10**6).p == pytest.approx(tests.Test("", 2.0, 2).p, rel=1e-4)


def test_with_no_more_clusters_than_slopes_there_is_no_p() -> None:
    assert np.isnan(wald("", np.ones(3), np.eye(3), 3).p)
