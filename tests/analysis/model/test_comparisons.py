"""Nested models, protocols, and leanings of models on a case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.heterogeneity import own_leanings, same_model_contrast
from analysis.model.nested import nested
from analysis.model.protocols import by_protocol
from analysis.model.rows import Rows
from analysis.model.truth import PAPER_TRUTH
from tests.analysis.model.debates import simulated

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def rows() -> Rows:
    return rows_of(simulated(60))


@pytest.fixture(scope="module")
def leaning() -> Rows:
    return rows_of(simulated(60, truth=replace(PAPER_TRUTH, model_case_sd=1.5)))


@pytest.mark.parametrize("estimator", ["re", "fe"])
def test_inertia_and_conformity_are_needed(rows: Rows, estimator: str) -> None:
    told = nested(fit(rows, estimator))
    assert list(told["df"].dropna()) == [3, 6, 9]
    assert (told["wald_p"].dropna() < 1e-6).all()
    assert (told["lr_p"].dropna() < 1e-6).all()
    assert told["loglik"].is_monotonic_decreasing or estimator == "re"
    assert 0 < told.loc["theta and phi only", "mcfadden"] < told.loc["model marginals only", "mcfadden"] < 1


def test_slopes_that_are_none_are_found_to_be_none() -> None:
    truth = replace(PAPER_TRUTH, slopes=0 * PAPER_TRUTH.slopes)
    told = nested(fit(simulated(80, truth=truth), "re"))
    assert (told["wald_p"].dropna() > 0.001).all()
    assert told["lr"].dropna().max() < 35


def test_pairs_have_no_likelihood_ratio(rows: Rows) -> None:
    told = nested(fit(rows, "pairwise"))
    assert told["lr"].isna().all()
    assert (told["wald_p"].dropna() < 1e-6).all()


def test_protocols_that_do_not_matter_are_told_so(rows: Rows) -> None:
    found = by_protocol(rows)
    assert found.interaction.df == 6
    assert found.interaction.p > 0.001
    assert found.fit.table()["coef"].notna().sum() == 6 + 9


def test_leanings_of_models_are_found_where_they_are(rows: Rows, leaning: Rows) -> None:
    assert same_model_contrast(rows).test.p > 0.001
    contrast = same_model_contrast(leaning)
    assert contrast.test.df == 9
    assert contrast.test.p < 1e-6
    alpha = [found.table().loc["alpha[claude]", "coef"] for found in (contrast.pairwise, contrast.same_model)]
    assert alpha[0] > alpha[1]


def test_a_fit_with_leanings_of_models_finds_them(rows: Rows, leaning: Rows) -> None:
    assert own_leanings(fit(rows)).test.p > 0.001
    found = own_leanings(fit(leaning))
    assert found.test.p < 1e-6
    assert found.fit.table().loc["alpha[claude]", "coef"] == pytest.approx(PAPER_TRUTH.slopes[0, 1], abs=0.4)
    with pytest.raises(ValueError, match="against a fit by 're', not by 'fe'"):
        own_leanings(fit(rows, "fe"))
