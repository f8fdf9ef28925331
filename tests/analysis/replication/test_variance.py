"""Where outcomes vary: mean squares worked out by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.model.truth import PAPER_TRUTH
from analysis.replication.agreement import repeated
from analysis.replication.variance import cells, decomposed, nested, outcome_table
from protocols.answer_format import VERDICTS
from tests.analysis.replication.runs import found, played


def happened(**conditions: list[tuple[int, ...]]) -> pd.DataFrame:
    """A row for each debate, from whether something happened by case and repetition."""
    told = [
        (condition, "no consensus", f"c{case}", repetition, bool(x))
        for condition, cases in conditions.items()
        for case, repetitions in enumerate(cases)
        for repetition, x in enumerate(repetitions)
    ]
    return pd.DataFrame(told, columns=["condition", "quantity", "case_id", "repetition", "happened"])


FOUR = [(1, 1), (0, 0), (1, 0), (1, 1)]
"""Mean squares 0.4583 between and 0.125 within: variances 1/6 and 1/8, ICC 4/7."""


def test_one_condition_by_hand() -> None:
    [told] = decomposed(cells(happened(a=FOUR), 2)).to_dict("records")
    assert told["share"] == pytest.approx(5 / 8)
    assert told["between"] == pytest.approx(1 / 6)
    assert told["within"] == pytest.approx(1 / 8)
    assert told["icc"] == pytest.approx(4 / 7)
    assert 0 <= told["low"] <= told["icc"] <= told["high"] <= 1


def test_two_conditions_by_hand() -> None:
    """Variances of condition 1/6, case 1/12, repetition 1/16."""
    [told] = nested(cells(happened(a=FOUR, b=[(0, 0)] * 4), 2)).to_dict("records")
    assert told["condition"] == pytest.approx(8 / 15)
    assert told["case"] == pytest.approx(4 / 15)
    assert told["repetition"] == pytest.approx(3 / 15)


def test_cases_that_always_come_out_the_same_way_have_an_icc_of_one() -> None:
    [told] = decomposed(cells(happened(a=[(1, 1, 1), (0, 0, 0), (1, 1, 1)]), 3)).to_dict("records")
    assert told["icc"] == 1


def test_less_than_chance_between_cases_is_zero() -> None:
    [told] = decomposed(cells(happened(a=[(1, 0), (0, 1), (1, 0)]), 2)).to_dict("records")
    assert (told["between"], told["icc"]) == (0, 0)


def test_a_case_without_all_repetitions_is_left_out_and_what_never_varies_has_no_icc() -> None:
    [told] = decomposed(cells(happened(a=[(1, 1), (1, 1), (0,)]), 2)).to_dict("records")
    assert told["cases"] == 2
    assert pd.isna(told["icc"])


def test_outcomes_of_repetitions_are_counted_for_every_debate() -> None:
    own = found(played(5, 2))
    told = outcome_table(own, VERDICTS)
    per = told[told["quantity"] == "no consensus"]
    assert len(per) == 2 * 5 * 15
    assert set(told["repetition"]) == {0, 1}
    assert decomposed(cells(told, 2))["cases"].eq(5).all()


def test_repeated_first_verdicts_are_counted_by_pairs() -> None:
    """Three repetitions of one case by a model that says N, N, Y: one of three pairs is the same."""
    turns = played(1, 3, conditions=[("synchronous", ("gpt", "claude"))])
    turns["label"] = turns["label"].astype("str")
    first = turns["round"] == 1
    gpt = turns["model"] == "gpt"
    turns.loc[first & gpt, "label"] = ["NTA", "NTA", "YTA"]
    turns.loc[first & ~gpt, "label"] = "ESH"
    told = repeated(found(turns)).set_index("model")
    assert told.loc["gpt", ["numerator", "denominator"]].tolist() == [1, 3]
    assert told.loc["claude", "estimate"] == 1


def test_only_verdicts_given_before_anything_was_heard_are_repeated() -> None:
    told = repeated(found(played(4, 2, conditions=[("round_robin", ("gpt", "claude"))])))
    assert told["model"].tolist() == ["gpt"]
    assert PAPER_TRUTH.models[0] == "gpt"
