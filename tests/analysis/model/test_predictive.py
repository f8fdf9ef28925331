"""Debates drawn from a fit beside those that it was fitted to."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.model.fit import fit
from analysis.model.observed import observed
from analysis.model.plan import full_design, plan
from analysis.model.predictive import NoCases, predictive
from analysis.model.simulate import turns_of
from analysis.model.truth import PAPER_TRUTH
from protocols.answer_format import VERDICTS
from tests.analysis.model.debates import debate, simulated

pytestmark = pytest.mark.long


def test_simulated_debates_are_observed_as_they_were_drawn() -> None:
    drawn = plan(full_design(PAPER_TRUTH.models), 6)
    verdicts = PAPER_TRUTH.draw(drawn, 1)
    found, had = observed(turns_of(drawn, verdicts), VERDICTS)
    in_turn = drawn.in_turn(1)
    assert np.array_equal(had[in_turn], verdicts[in_turn])
    assert np.array_equal(np.sort(had, axis=2), np.sort(verdicts, axis=2))
    assert [found.models[m] for m in found.model[0] if m >= 0] == ["claude", "gpt"]
    assert list(found.condition()[in_turn]) == list(drawn.condition()[in_turn])


def test_seats_that_speak_at_the_same_time_have_no_order() -> None:
    """Balanced labels show now one, now the other model first; that is one condition."""
    one = debate("1", "synchronous", ("a", "b"), "NY", "NN")
    other = debate("2", "synchronous", ("b", "a"), "YN", "NN")
    found, had = observed(pd.concat([one, other], ignore_index=True), VERDICTS)
    assert found.condition().nunique() == 1
    assert np.array_equal(had[0], had[1])


def test_shares_of_hand_made_debates() -> None:
    """Consensus at once, in round 2, never; one first verdict unreadable; one debate goes on from another."""
    turns = pd.concat(
        [
            debate("1", "synchronous", ("a", "b"), "NN"),
            debate("2", "synchronous", ("a", "b"), "NY", "NN"),
            debate("3", "synchronous", ("a", "b"), "?Y", "NY", "NY"),
            debate("4", "synchronous", ("a", "b"), "NY", "YY", opening=1, stage="longer"),
            debate("5", "round_robin", ("a", "b"), "NY", "YN", "EI"),
        ],
        ignore_index=True,
    )
    told = predictive(fit(turns, "paper"), turns, draws=2)
    assert list(told["observed"][told["condition"] == "synchronous: a, b"]) == pytest.approx(
        [1 / 3, 1 / 3, 1 / 3, 0, 1 / 3]
    )
    assert list(told["n"][told["condition"] == "synchronous: a, b"]) == [3, 3, 3, 2, 3]


@pytest.mark.parametrize("estimator", ["re", "fe"])
def test_a_right_model_plays_as_was_played(estimator: str) -> None:
    turns = simulated(150)
    told = predictive(fit(turns, estimator), turns, draws=8)
    assert len(told) == 3 * 5 + 6 * 5 + 6 * 6
    distance = (told["observed"] - told["predicted"]).abs()
    assert distance.mean() < 0.03
    assert distance.max() < 0.16


def test_pairs_cannot_play() -> None:
    turns = simulated(10)
    with pytest.raises(NoCases, match="'pairwise' knows no phi"):
        predictive(fit(turns, "pairwise"), turns)


def test_where_every_debate_goes_on_from_another_none_can_be_played() -> None:
    turns = simulated(12)
    turns = turns.assign(opening=turns["round"] == 1)
    with pytest.raises(NoCases, match="every debate goes on from another"):
        predictive(fit(turns, "re"), turns)
