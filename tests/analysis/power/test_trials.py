"""Draws of studies: the same wherever they are made, and as sure as the statistics say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.model.estimators import ESTIMATORS
from analysis.model.fit import fit
from analysis.model.plan import Condition, full_design
from analysis.model.population import Population
from analysis.model.rows import Floats
from analysis.model.truth import PAPER_TRUTH
from analysis.power.expected import expected
from analysis.power.figure import figure
from analysis.power.pilot import population
from analysis.power.rates import contrasts
from analysis.power.size import LEAST, MOST, Size, quotas, sizes
from analysis.power.trial import Study, Trial, trial
from analysis.power.trials import trials
from tests.analysis.model.debates import simulated

pytestmark = pytest.mark.long

AGENTS = PAPER_TRUTH.population()
PAIR = tuple(Condition(protocol, ("claude", "gemini")) for protocol in ("synchronous", "round_robin"))
SMALL = Study(PAIR, AGENTS, "re", 3)


def told(made: list[Trial]) -> list[tuple[Size, int, int, list[float]]]:
    return [
        (each.size, each.number, each.verdicts, each.found["coef"].round(9).fillna(0).tolist())
        for each in made
    ]


def test_processes_find_what_one_finds() -> None:
    quota = {Size(1, 12): 2, Size(2, 12): 1}
    one, two = (trials(SMALL, quota, processes, 60) for processes in (1, 2))
    assert told(one) == told(two)
    assert [(each.size, each.number) for each in one] == [
        (Size(1, 12), 0),
        (Size(1, 12), 1),
        (Size(2, 12), 0),
    ]


def test_every_draw_is_another_and_a_seed_makes_it_again() -> None:
    one, other = (trial(SMALL, Size(1, 12), number) for number in (0, 1))
    assert told([one]) == told([trial(SMALL, Size(1, 12), 0)])
    assert told([one])[0][2:] != told([other])[0][2:]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_a_draw_in_which_all_say_the_same_tells_no_slope(estimator: str) -> None:
    """Nor does it fail, whatever the estimator; `paper` finds what its prior says."""
    agents = Population(
        ("claude", "gemini"), np.ones((3, 2)), np.array([[20.0, 0, 0, 0, 0]] * 2), np.zeros((5, 5))
    )
    found = trial(Study(PAIR, agents, estimator, 0), Size(1, 4), 0).found
    assert found["coef"].notna().all() if estimator == "paper" else found["coef"].isna().all()


def test_when_time_is_up_every_size_has_been_drawn_once() -> None:
    made = trials(SMALL, {Size(1, 8): 50, Size(2, 8): 50}, 1, seconds=0)
    assert [(each.size, each.number) for each in made] == [(Size(1, 8), 0), (Size(2, 8), 0)]


def test_only_models_that_sit_are_compared_and_synchronous_tells_no_conformity_within() -> None:
    found = trial(Study(PAIR[:1], AGENTS, "re", 3), Size(1, 40), 0).found
    assert set(found["model"]) == {"claude", "gemini"}
    assert found[found["term"] == "gamma_within"]["coef"].isna().all()
    assert found[found["term"] == "alpha"]["coef"].notna().all()


def test_a_difference_has_the_truth_and_error_of_the_two_slopes() -> None:
    found = trial(SMALL, Size(1, 60), 0).found.query("term == 'alpha'").set_index(["kind", "model"])
    one, other = found.loc[("slope", "claude")], found.loc[("slope", "gemini")]
    difference = found.loc[("difference", "claude")]
    assert difference["other"] == "gemini"
    assert difference["truth"] == pytest.approx(np.log(4.49 / 2.83))
    assert difference["coef"] == pytest.approx(one["coef"] - other["coef"])
    assert abs(one["se"] - other["se"]) < difference["se"] < one["se"] + other["se"]


@pytest.fixture(scope="module")
def many() -> pd.DataFrame:
    """Of two models, together and in both orders."""
    study = Study((*PAIR, Condition("round_robin", ("gemini", "claude"))), AGENTS, "re", 1)
    made = trials(study, {Size(2, 40): 12, Size(2, 160): 6}, 1, 60)
    return expected(made, contrasts(study.conditions)).parameters


def test_errors_halve_with_four_times_as_many_dilemmas(many: pd.DataFrame) -> None:
    few, more = (many[many["dilemmas"] == cases]["se"].to_numpy() for cases in (40, 160))
    assert few / more == pytest.approx(2.0, rel=0.35)
    assert float((few / more).mean()) == pytest.approx(2.0, rel=0.15)


def test_intervals_cover_and_bias_is_within_its_error(many: pd.DataFrame) -> None:
    """Of the default estimator: 95% nominal, less in small samples."""
    assert 0.85 < many["coverage"].mean() <= 1.0
    assert (many["bias"].abs() < 4.5 * many["bias_error"]).all()


def test_power_is_about_the_share_that_is_rejected(many: pd.DataFrame) -> None:
    """Within four Monte-Carlo errors of it, on average over parameters."""
    assert many["power"].mean() == pytest.approx(many["rejected"].mean(), abs=0.08)
    assert ((many["power"] >= 0.05 - 1e-9) & (many["power"] <= 1)).all()


def test_the_figure_has_a_panel_for_each_slope_and_is_the_same_again(many: pd.DataFrame) -> None:
    drawn = figure(many)
    assert len(drawn.panels) == 6
    assert drawn.file == figure(many).file
    assert drawn.file.count("<circle") == 6 * 2 + 1
    assert "alpha, claude" in drawn.file
    assert "160 dilemmas, 2 repetitions: ±" in drawn.file


def test_agents_like_a_run_have_its_slopes_and_spread() -> None:
    """From 150 dilemmas of the paper's design: slopes within half a unit, the phi of two labels as drawn."""
    like = population(fit(simulated(150)))
    places = [like.models.index(model) for model in PAPER_TRUTH.models]
    assert like.slopes[:, places] == pytest.approx(PAPER_TRUTH.slopes, abs=0.5)
    assert apart(like.phi_root) == pytest.approx(apart(AGENTS.phi_root), rel=0.3)
    found = like.theta[places] - like.theta[places][:, :1]
    true = AGENTS.theta - AGENTS.theta[:, :1]
    assert found[:, :3] == pytest.approx(true[:, :3], abs=0.6)


def apart(phi_root: Floats) -> float:
    """The standard deviation of the difference of the phi of NTA and YTA."""
    return float(np.linalg.norm(phi_root[0] - phi_root[1]))


@pytest.mark.parametrize(("estimator", "misled"), [("re", True), ("pairwise_same_model", False)])
def test_a_leaning_of_a_model_on_a_dilemma_passes_for_inertia_but_in_pairs_of_one_model(
    estimator: str, misled: bool
) -> None:
    """With standard deviation 1, over all slopes: 0.3 and more off, or within 0.15."""
    leaning = replace(AGENTS, model_case_sd=1.0)
    study = Study(tuple(full_design(PAPER_TRUTH.models)), leaning, estimator, 5)
    found = pd.concat([trial(study, Size(1, 120), number).found for number in range(2)])
    error = (found["coef"] - found["truth"]).groupby([found["kind"], found["term"], found["model"]]).mean()
    off = float(error["slope"].abs().mean())
    assert off > 0.3 if misled else off < 0.15


def test_quotas_share_the_time_and_are_bounded() -> None:
    verdicts = {size: 50.0 * size.repetitions for size in sizes([100, 100, 100_000], [5, 1])}
    quota = quotas(verdicts, "re", 60)
    assert list(quota) == [Size(1, 100), Size(1, 100_000), Size(5, 100), Size(5, 100_000)]
    assert quota[Size(1, 100)] > quota[Size(5, 100)] > quota[Size(5, 100_000)] == LEAST
    assert quotas(verdicts, "re", 1e6)[Size(1, 100)] == MOST
    assert quotas(verdicts, "pairwise", 60)[Size(5, 100)] < quota[Size(5, 100)]
