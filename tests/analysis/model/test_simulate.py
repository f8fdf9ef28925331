"""Simulated debates keep the rules of the protocols and the chances of Eq. 2."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.model.convention import Convention
from analysis.model.design import design
from analysis.model.features import rows_of
from analysis.model.fit import fit
from analysis.model.likelihood import predictors
from analysis.model.plan import Condition, full_design, plan
from analysis.model.simulate import agreed, chances, play, turns_of
from analysis.model.truth import PAPER_TRUTH

FULL = plan(full_design(PAPER_TRUTH.models), 200)
VERDICTS = PAPER_TRUTH.draw(FULL, 1)


def test_the_full_design_has_all_orders_of_every_panel() -> None:
    assert len(set(full_design(("a", "b", "c")))) == 3 + 6 + 6
    assert len(FULL.case) == 200 * 15


def test_a_debate_ends_with_the_first_consensus_or_after_four_rounds() -> None:
    consensus = np.array([agreed(VERDICTS[:, r], FULL.seats) for r in range(4)]).T
    played = (VERDICTS[:, :, 0] >= 0).sum(axis=1)
    first = np.where(consensus.any(axis=1), consensus.argmax(axis=1) + 1, 4)
    assert np.array_equal(played, first)


def test_all_seats_of_a_played_round_speak_and_no_others() -> None:
    spoken = (VERDICTS >= 0).sum(axis=2)
    assert np.isin(spoken, [0, 2, 3]).all()
    assert np.array_equal(spoken[:, 0], FULL.seats)


def test_round_one_has_the_shares_asked_for() -> None:
    many = plan(full_design(PAPER_TRUTH.models)[:3], 3_000)
    first = PAPER_TRUTH.draw(many, 2)[:, 0, :2]
    for place, model in enumerate(many.models):
        said = first[many.model[:, :2] == place]
        shares = np.bincount(said, minlength=5) / len(said)
        assert shares == pytest.approx(PAPER_TRUTH.shares[PAPER_TRUTH.models.index(model)], abs=0.03)


@pytest.mark.parametrize("window", ["last", "cumulative"])
@pytest.mark.parametrize("scale", ["count", "share"])
def test_a_slope_of_fifty_makes_a_seat_follow_what_it_hears(window: str, scale: str) -> None:
    """The simulator and the rows of the likelihood count alike: what is chosen was heard most."""
    convention = Convention(window=window, scale=scale)  # type: ignore[arg-type]
    drawn = plan(full_design(("a", "b", "c")), 20)
    dice = np.random.default_rng(0)
    slopes = np.array([50.0, 50.0, 50.0])[:, None, None] * np.ones((3, *drawn.model.shape))
    lean = dice.normal(size=(*drawn.model.shape, 5))
    rows = rows_of(turns_of(drawn, play(drawn, lean, slopes, chances(drawn, dice), convention)), convention)
    heard = rows.x.sum(axis=0)
    chosen = np.take_along_axis(heard, rows.y[None], axis=0)[0]
    assert chosen == pytest.approx(heard.max(axis=0))


def test_likelihood_at_the_truth_is_calibrated() -> None:
    """Probabilities that the likelihood gives simulated verdicts are those with which they came."""
    flat = replace(PAPER_TRUTH, case_sd=0.0)
    drawn = plan(full_design(flat.models), 300)
    made = design(rows_of(turns_of(drawn, flat.draw(drawn, 3))))
    order = [flat.models.index(model) for model in made.rows.models]
    beta = np.concatenate([flat.theta()[order].ravel(), flat.slopes[:, order].ravel()])
    eta = predictors(made, beta, np.zeros((300, 1, 5)))
    p = np.exp(eta) / np.exp(eta).sum(axis=0)
    often = made.given.sum(axis=0)
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.6), (0.6, 0.9), (0.9, 1.0)):
        of_these = (p > low) & (p <= high)
        expected = (p * often)[of_these].sum()
        assert made.given[of_these].sum() == pytest.approx(expected, abs=4 * np.sqrt(expected))


def test_the_same_seed_gives_the_same_debates() -> None:
    assert np.array_equal(PAPER_TRUTH.draw(FULL, 1), VERDICTS)
    assert not np.array_equal(PAPER_TRUTH.draw(FULL, 2), VERDICTS)


def test_simulated_turns_fit_as_they_are() -> None:
    assert fit(turns_of(FULL, VERDICTS), "fe").estimate.converged


def test_hybrid_debates_begin_as_synchronous_ones_and_go_on_in_turn() -> None:
    drawn = plan([Condition("hybrid", ("gpt", "claude"), 2, False)], 50)
    assert not drawn.in_turn(1).any()
    assert drawn.in_turn(2).all()
    nothing = np.zeros((50, 2, 5))
    slopes = np.zeros((3, 50, 2))
    slopes[2] = 50.0
    said = play(drawn, nothing, slopes, chances(drawn, np.random.default_rng(1)))
    assert (said[:, 1, 0] == said[:, 1, 1]).all()
    assert not (said[:, 0, 0] == said[:, 0, 1]).all()
