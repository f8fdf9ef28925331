"""Fits: what they recover, how sure they are, what they say in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.model.convention import PAPER
from analysis.model.errors import one_step
from analysis.model.estimators import ESTIMATORS
from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.plan import Condition, full_design, plan
from analysis.model.recovery import recover, recovered
from analysis.model.refits import refitted
from analysis.model.rows import Rows
from analysis.model.statistics import statistics
from analysis.model.truth import PAPER_TRUTH
from tests.analysis.model.debates import debate, simulated

pytestmark = pytest.mark.long

SYNCHRONOUS = full_design(PAPER_TRUTH.models)[:3]


@pytest.fixture(scope="module")
def rows() -> Rows:
    return rows_of(simulated(60))


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_fit_says_how_it_was_made(rows: Rows, estimator: str) -> None:
    found = fit(rows, estimator)
    text = found.summary()
    assert found.estimate.converged
    assert f"Estimator {estimator}: {ESTIMATORS[estimator].words}." in " ".join(text.split())
    assert "counts of others in the last round" in text
    assert found.table()["coef"].notna().all()
    assert found.table()["odds_ratio"].to_numpy() == pytest.approx(np.exp(found.table()["coef"].to_numpy()))


def test_scores_of_the_cases_add_up_to_nothing(rows: Rows) -> None:
    for estimator in ("fe", "l2", "paper", "pairwise"):
        estimate = fit(rows, estimator).estimate
        assert estimate.scores.sum(axis=0)[estimate.free] == pytest.approx(0, abs=1e-3)


def test_one_step_draws_are_as_wide_as_the_errors(rows: Rows) -> None:
    found = fit(rows)
    table = found.table()
    draws = one_step(found.estimate)[:, found.design.n_theta :]
    assert draws.shape == (2_000, 9)
    assert draws.std(axis=0) == pytest.approx(table["se"].to_numpy(), rel=0.08)


def test_refits_are_about_as_wide_as_the_errors(rows: Rows) -> None:
    found = fit(rows, "fe")
    draws = refitted(found, 20)[:, found.design.n_theta :]
    ratio = draws.std(axis=0) / found.table()["se"].to_numpy()
    assert 0.75 < ratio.mean() < 1.35


def test_re_recovers_what_fe_does_not() -> None:
    """A few draws with few verdicts for each case, where `fe` is far off and `re` is not."""
    drawn = plan(full_design(PAPER_TRUTH.models), 80)
    told = recovered(pd.concat([recover(PAPER_TRUTH, drawn, seed, ("re", "fe")) for seed in range(1, 5)]))
    assert told.loc["re", "mean_z"] < 1
    assert told.loc["re", "coverage"] > 0.85
    assert abs(told.loc["re", "bias"]) < 0.08
    assert told.loc["fe", "bias"] < told.loc["re", "bias"] - 0.03


def test_statistics_count_the_spread_among_the_parameters(rows: Rows) -> None:
    whole = fit(rows)
    found, never = statistics(whole), sum("never gives" in said for said in whole.diagnostics)
    assert found.parameters == 12 - never + 9 + 10
    assert found.aic == pytest.approx(2 * found.parameters - 2 * whole.estimate.loglik)
    assert statistics(fit(rows, "fe")).aic is None


def test_few_verdicts_for_each_case_are_warned_of() -> None:
    found = fit(simulated(60, conditions=SYNCHRONOUS), "fe")
    assert any("verdicts for each case, fewer than 20" in said for said in found.diagnostics)
    assert any("Not identified: gamma_within[claude]" in said for said in found.diagnostics)
    assert found.table().loc["gamma_within[gpt]"].isna().all()
    assert found.table().loc["alpha[gpt]", "coef"] > 0


def test_one_model_with_itself_is_fitted() -> None:
    conditions = [Condition(protocol, ("gpt", "gpt")) for protocol in ("synchronous", "round_robin")]
    for estimator in ("re", "fe", "pairwise"):
        table = fit(simulated(150, conditions=conditions), estimator).table()
        assert list(table.index) == ["alpha[gpt]", "gamma_prev[gpt]", "gamma_within[gpt]"]
        assert table["coef"].notna().all()


def test_a_label_that_a_model_never_gives_is_told() -> None:
    turns = simulated(60)
    turns = turns[turns["label"] != "INFO"]
    found = fit(turns)
    assert "gpt never gives INFO: it is left out of its choices." in found.diagnostics
    assert found.estimate.converged


def stubborn(cases: int) -> pd.DataFrame:
    """Debates in which a keeps its verdict always and b takes a's."""
    pairs = ["NY", "YN", "NE", "EN"]
    return pd.concat(
        [
            debate(f"{case}-{n}", "synchronous", ("a", "b"), said, said[0] * 2, case=f"case {case}")
            for case in range(cases)
            for n, said in enumerate(pairs)
        ],
        ignore_index=True,
    )


@pytest.mark.parametrize("estimator", ["re", "fe", "pairwise"])
def test_perfect_separation_is_told_in_words(estimator: str) -> None:
    found = fit(stubborn(30), estimator)
    said = " ".join(found.diagnostics)
    assert "Separation: alpha[a]" in said or "Not identified: alpha[a]" in said
    assert "Separation" in found.summary()


def test_the_papers_estimator_stays_finite_under_separation() -> None:
    table = fit(stubborn(30), "paper", PAPER).table()
    assert table["coef"].abs().max() < 8


def test_without_a_second_round_inertia_is_not_identified() -> None:
    debates = [
        debate(f"{n}", "synchronous", ("a", "b"), word, case=f"case {n // 2}")
        for n, word in enumerate(["NN", "YY", "NY"] * 20)
    ]
    found = fit(pd.concat(debates, ignore_index=True))
    assert found.table()["coef"].isna().all()
    assert any("Not identified: alpha[a]" in said for said in found.diagnostics)


def test_an_unknown_estimator_or_term_is_refused(rows: Rows) -> None:
    with pytest.raises(ValueError, match="no estimator 'ols'; take one of re, fe"):
        fit(rows, "ols")
    with pytest.raises(ValueError, match="no term 'beta'"):
        fit(rows, terms=("beta",))
