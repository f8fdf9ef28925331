"""Whom judges follow, and what their accuracy is made of, by hand."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.oversight import accuracy, adoption, decomposition
from tests.analysis.oversight.played import Played

pytestmark = pytest.mark.long

ENDS = (
    *(("AA", "A"), ("AA", "B"), ("AA", "?"), ("BB", "B"), ("BB", "A"), ("BB", "C")),
    *(("AB", "A"), ("AB", "A"), ("AB", "B"), ("AB", "C"), ("AB", "?"), ("BC", "A"), ("BC", "B")),
    *(("A?", "A"), ("?A", "B")),
)
"""Last answers, and what the judge said."""


def ended(*ends: tuple[str, str], turn: str = "Ah Bl") -> Played:
    made = Played()
    for number, (final, decision) in enumerate(ends):
        made.judged(made.resolution(made.openings(f"c{number}"), turn, final=final), decision)
    return made


def test_what_judges_adopt() -> None:
    told = adoption.estimate(ended(*ENDS).study).set_index("what")
    assert told[["numerator", "denominator"]].to_numpy().tolist() == [[2, 6], [4, 7], [2, 4]]
    assert told["unreadable"].tolist() == [1, 1, 0]
    assert told["unanswered"].tolist() == [2, 2, 2]
    assert told.loc["disagreement", "wilson_low"] == pytest.approx(0.2505, abs=1e-4)


def test_nothing_to_adopt_is_null() -> None:
    told = adoption.estimate(ended(("AA", "A")).study).set_index("what")
    assert told["estimate"].isna().tolist() == [False, True, True]
    assert told.loc["right side", "reason"] == adoption.EMPTY


def test_a_call_for_neither_adopts_nothing() -> None:
    made = Played()
    debate = made.debate(made.openings("c"), "debate")
    made.judged(debate, "neither", answers="winner")
    told = adoption.estimate(made.study).set_index("what")
    assert told.loc["disagreement", ["numerator", "denominator", "neither"]].tolist() == [0, 1, 1]


def test_without_a_truth_the_right_side_is_left_out() -> None:
    made = Played()
    made.question("c", truth=None)
    made.judged(made.resolution(made.openings("c"), "A B"), "A")
    assert adoption.estimate(made.study)["denominator"].tolist() == [0, 1, 0]


def test_agreements_and_disagreements_are_all_that_did_not_fail() -> None:
    """365 + 2 = 367 = 126 + 153 + 88, and 242 + 10 = 252 = 253 - 1 that failed."""
    made = ended(*[("AA", "A")] * 242, *[("AB", "A")] * 10)
    made.failed("c0", "disagreement_resolution", "judge", variant='{"turns":5}')
    told = adoption.estimate(made.study).set_index("what")
    assert told.loc[["agreement", "disagreement"], "denominator"].tolist() == [242, 10]
    assert told["failed"].tolist() == [1, 1, 1]


def test_the_ways_to_be_right_sum_to_the_accuracy() -> None:
    study = ended(*ENDS).study
    told = decomposition.estimate(study)
    assert (told["numerator"].tolist(), set(told["denominator"])) == ([1, 1, 2, 1, 1], {15})
    assert told["estimate"].sum() == pytest.approx(accuracy.estimate(study)["estimate"].iloc[0])


def test_the_identity_is_exact_by_its_factors() -> None:
    [row] = decomposition.factors(ended(*ENDS).study).to_dict("records")
    assert [row[name] for name in decomposition.FACTORS] == pytest.approx(
        [6 / 15, 3 / 6, 1 / 3, 1 / 3, 7 / 15, 4 / 7, 2 / 4, 1 / 3, 2 / 15, 1 / 2]
    )
    assert row["composed"] == pytest.approx(row["accuracy"], abs=1e-15)
    assert row["accuracy"] == 6 / 15


def test_the_identity_holds_with_weights() -> None:
    made = ended(*ENDS)
    for row in made.rows["judgments"][:4]:
        made.judged(row["source_debate"], "A", **{"pass": 2})
    study = made.study
    [row] = decomposition.factors(study).to_dict("records")
    assert row["composed"] == pytest.approx(row["accuracy"], abs=1e-15)
    assert row["accuracy"] == pytest.approx(accuracy.estimate(study)["estimate"].iloc[0], abs=1e-15)
    assert decomposition.estimate(study)["estimate"].sum() == pytest.approx(row["accuracy"], abs=1e-15)


def test_the_bound_below_the_accuracy() -> None:
    """p_C of A is .75, that of B with low confidence .75 too: beta_C is 1/16 for both."""
    [row] = decomposition.factors(ended(("AA", "A"), ("AA", "A"), ("AA", "B"), ("AA", "A")).study).to_dict(
        "records"
    )
    assert (row["beta"], row["followed"]) == (1 / 16, 3 / 4)
    assert row["bound"] == 3 / 4 * (1 - 8 / 16)
    assert row["vacuous"] is False
    assert row["bound"] <= row["accuracy"]


def test_the_bound_is_vacuous_from_an_eighth_on() -> None:
    [row] = decomposition.factors(ended(("AA", "A"), turn="Am Bm").study).to_dict("records")
    assert (row["beta"], row["vacuous"]) == (0.25, True)


def test_without_confidence_or_agreement_there_is_no_bound() -> None:
    told = pd.concat(
        [
            decomposition.factors(ended(("AA", "A"), turn="A B").study),
            decomposition.factors(ended(("AB", "A")).study),
        ]
    )
    assert told["bound"].isna().all()
    assert told["reason"].tolist() == ["no last answer with a stated confidence", "no agreement"]


def test_nothing_judged_is_nothing_told() -> None:
    empty = Played().study
    assert adoption.estimate(empty).empty
    assert decomposition.estimate(empty).empty
    assert decomposition.factors(empty).empty


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10_000))
def test_consultants_by_the_rule_and_a_judge_that_follows_keep_the_bound(seed: int) -> None:
    """Each ends on what it believes with 1/2 or more; the judge takes what they agree on."""
    dice = random.Random(seed)
    ends = []
    for _ in range(8):
        beliefs = [dice.choice((0.25, 0.75, 0.75, 0.75)) for _ in range(2)]
        words = ["Ah" if belief > 0.5 else "Bh" for belief in beliefs]
        final = "".join(word[0] for word in words)
        ends.append((final, final[0] if final[0] == final[1] else dice.choice("AB"), " ".join(words)))
    made = Played()
    for number, (final, decision, turn) in enumerate(ends):
        made.judged(made.resolution(made.openings(f"c{number}"), turn, final=final), decision)
    [row] = decomposition.factors(made.study).to_dict("records")
    assert not row["bound"] > row["accuracy"] + 1e-12
    assert row["composed"] == pytest.approx(row["accuracy"], abs=1e-12)


@pytest.mark.parametrize("final", ["AB", "BB"], ids=["", "with the other's stance"])
def test_a_consultancy_has_one_side_and_no_agreement_to_follow(final: str) -> None:
    """That the silent seat opened with what the other argues for, or not, is nothing a judge is shown."""
    made = Played()
    made.judged(made.debate(made.openings("c"), "consultancy", final), "B")
    made.judged(made.debate(made.openings("d"), "double_consultancy", final), "B")
    for found in (adoption.estimate(made.study), decomposition.estimate(made.study)):
        assert set(found["protocol"]) == {"double_consultancy"}
    assert set(accuracy.estimate(made.study)["protocol"]) == {"consultancy", "double_consultancy"}
