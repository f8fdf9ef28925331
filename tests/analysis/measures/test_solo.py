"""Solo answers: their majority, what they would agree on, and debates against as many of them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from analysis.measures import alone, matched, solo
from analysis.measures.solo import SHORT
from tests.analysis.counting import coursed, said
from tests.analysis.synthetic import Debate

pytestmark = pytest.mark.long


def answers(model: str, letters: str, case: str = "a", steering: str = "none") -> list[Debate]:
    """A solo debate for each letter."""
    return [
        Debate(
            f"{model} {case} {steering} {place}", "solo", (model,), None, steering, said(letter), case=case
        )
        for place, letter in enumerate(letters)
    ]


def debate(
    *rounds: str, case: str = "a", models: str = "alpha beta", steering: str = "default+default"
) -> Debate:
    panel = tuple(models.split())
    return Debate(f"debate {case} {models}", "synchronous", panel, "1-2", steering, said(*rounds), case=case)


def test_majority_of_three_of_those_there_are() -> None:
    """Case a has 3 N and 2 Y: N wins 7 of 10 samples of three; case b has too few readable ones."""
    found = solo.estimate(coursed([*answers("alpha", "NNNYY"), *answers("alpha", "YY?", "b")]), sizes=(1, 3))
    by = found.set_index(["answers", "verdict"])
    assert by.loc[(1, "NTA"), "estimate"] == pytest.approx((0.6 + 0) / 2, abs=1e-9)
    assert by.loc[(3, "NTA"), "estimate"] == pytest.approx(0.7, abs=1e-9)
    assert by.loc[(3, "NTA"), "cases"] == 1
    assert by.loc[(3, "YTA"), "unreadable"] == 1
    assert by.loc[(3, "ESH"), "estimate"] == 0


def test_more_answers_than_there_are_cannot_be_drawn() -> None:
    found = solo.estimate(coursed(answers("alpha", "NN")), sizes=(3,))
    assert set(found["reason"]) == {SHORT}
    assert found["estimate"].isna().all()


def test_steerings_of_solo_answers_stand_apart() -> None:
    found = solo.estimate(
        coursed([*answers("alpha", "N"), *answers("alpha", "Y", steering="value:care")]), (1,)
    )
    chosen = found[found["estimate"] == 1].set_index("steering")["verdict"]
    assert chosen.to_dict() == {"none": "NTA", "value:care": "YTA"}


def test_agreement_of_answers_given_alone() -> None:
    """alpha says N of two, beta N of four: both N with probability 1/2 · 1/4, both Y with 1/2 · 3/4."""
    found = alone.estimate(coursed([debate("NN"), *answers("alpha", "NY"), *answers("beta", "NYYY")]))
    [row] = found.to_dict("records")
    assert (row["numerator"], row["denominator"]) == (1, 1)
    assert row["against_numerator"] == pytest.approx(0.5, abs=1e-9)
    assert row["estimate"] == pytest.approx(0.5, abs=1e-9)
    assert row["test"] == ""


def test_in_a_self_debate_no_answer_is_drawn_twice() -> None:
    own = coursed([debate("NY", models="alpha alpha"), *answers("alpha", "NNY")])
    assert alone.estimate(own)["against_numerator"].tolist() == pytest.approx([1 / 3], abs=1e-9)
    single = coursed([debate("NY", models="alpha alpha"), *answers("alpha", "N")])
    assert alone.estimate(single).empty, "one answer cannot be drawn for two seats"


def test_three_seats_agree_alone_only_if_all_do() -> None:
    panel = debate("NNN", models="alpha beta gamma", steering="default+default+default")
    found = alone.estimate(
        coursed([panel, *answers("alpha", "NY"), *answers("beta", "NY"), *answers("gamma", "N")])
    )
    assert found["against_numerator"].tolist() == pytest.approx([0.25], abs=1e-9)


def test_a_seat_is_matched_with_answers_under_its_own_steering_where_there_are_any() -> None:
    said_alone = [*answers("alpha", "N"), *answers("alpha", "Y", steering="kind"), *answers("beta", "Y")]
    found = alone.estimate(coursed([debate("NY", steering="kind+stern"), *said_alone]))
    assert found["against_numerator"].tolist() == [1], "beta was never asked alone under stern"


def test_decision_against_as_many_answers_as_calls() -> None:
    """Four calls: of alpha's five answers (4 N, 1 Y) every four have an N majority; beta has too few."""
    run = coursed([debate("NY", "YY"), *answers("alpha", "NNNNY"), *answers("beta", "YYY")])
    found = matched.verdicts(run).set_index(["voters", "verdict"])
    row = found.loc[("alpha", "YTA")]
    assert (row["numerator"], row["denominator"], row["against_numerator"]) == (1, 1, 0)
    assert (row["estimate"], row["value"], row["against"]) == (1, "debate", matched.MAJORITY)
    assert "beta" not in found.index.get_level_values("voters")
    same = matched.same(run).set_index("voters")
    assert same.loc["alpha", "estimate"] == 0
    assert (same.loc["beta", "unreadable"], same.loc["beta", "reason"]) == (1, matched.EMPTY)


def test_all_models_of_a_panel_vote_from_one_urn_and_ties_are_shared() -> None:
    """Two calls from N and Y: always a tie."""
    run = coursed([debate("NN"), *answers("alpha", "N"), *answers("beta", "Y")])
    assert matched.same(run).set_index("voters").loc[matched.PANEL, "estimate"] == 0.5
    found = matched.verdicts(run).set_index(["voters", "verdict"])
    assert found.loc[(matched.PANEL, "NTA"), "estimate"] == 0.5
    assert found.loc[(matched.PANEL, "YTA"), "estimate"] == -0.5


def test_a_panel_of_which_one_model_gave_no_answer_alone_has_no_urn() -> None:
    found = matched.same(coursed([debate("NN"), *answers("alpha", "NNN")])).set_index("voters")
    assert found["denominator"].to_dict() == {"alpha": 1, "beta": 0, matched.PANEL: 0}


def test_debates_without_consensus_decide_nothing() -> None:
    run = coursed([debate("NY"), *answers("alpha", "NNN"), *answers("beta", "NNN")])
    assert matched.same(run).empty
    assert matched.verdicts(run).empty


def test_debates_that_go_on_from_solo_answers_are_set_against_none() -> None:
    """A stage keeps those that disagree: that they do in round 1 says nothing of debating."""
    kept = replace(debate("NY", "NN"), stage="argued", variant='{"after":"solo"}')
    solos = [*answers("alpha", "NNN"), *answers("beta", "NNN")]
    for estimate in (alone.estimate, matched.verdicts, matched.same):
        assert estimate(coursed([kept, *solos])).empty
        assert len(estimate(coursed([debate("NY", "NN"), *solos])))


def test_the_answers_of_a_vote_are_solo_answers() -> None:
    """A vote of two seats in three rounds holds three answers of each, as three solo debates of each do."""
    vote = Debate("vote", "majority", ("alpha", "beta"), "1-2", "none+none", said("NY", "N?", "YY"))
    voted = solo.estimate(coursed([vote]))
    apart = solo.estimate(coursed([*answers("alpha", "NNY"), *answers("beta", "Y?Y")]))
    pd.testing.assert_frame_equal(voted, apart)
    assert voted.set_index(["model", "answers", "verdict"]).loc[("alpha", 3, "NTA"), "estimate"] == 1


def test_debates_are_matched_with_a_vote() -> None:
    """Two rounds of two seats are four calls: the votes of both seats decide as the debate does, for sure."""
    vote = Debate("vote", "majority", ("alpha", "beta"), "1-2", "none+none", said("NN", "NN"), case="a")
    found = matched.same(coursed([debate("NY", "NN"), vote]))
    whole = found[(found["voters"] == matched.PANEL) & (found["protocol"] == "synchronous")]
    assert (whole["numerator"].tolist(), whole["denominator"].tolist()) == ([1], [1])
