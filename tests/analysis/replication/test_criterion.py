"""The rule of the review and the decision by equivalence: each outcome on made figures."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analysis.replication.across import mean_of
from analysis.replication.criterion import equivalent, literal
from analysis.replication.table1 import MAIN, UnknownModel, matched, reference, table1

THE_SAME = {model: model for model in MAIN}
THREE = ("1", "2", "3")


def table(shift: float = 0.0, **changed: float) -> pd.DataFrame:
    """Slopes as in Table 1, all moved by `shift`, some to other values; the intervals are 0.1 wide."""
    found = reference(THE_SAME)[["coef"]] + shift
    for name, value in changed.items():
        term, _, model = name.rpartition("_")
        found.loc[f"{term}[{model}]", "coef"] = value
    return found.assign(low=found["coef"] - 0.05, high=found["coef"] + 0.05)


def summary(*shifts: float, se: float = 0.05) -> pd.DataFrame:
    """What repetitions with these shifts say together."""
    rows = [
        mean_of(coef + np.array(shifts), np.full(len(shifts), se), se) for coef in reference(THE_SAME)["coef"]
    ]
    return pd.DataFrame(rows, index=reference(THE_SAME).index)


def test_the_table_again_retires_the_worry() -> None:
    judged = literal(THREE, [table(), table(0.1), table(-0.1)], THE_SAME)
    assert judged.outcome == "retired"
    assert judged.figures["near"].tolist() == [9, 9, 9]
    assert not judged.figures["overlap"].any()


def test_gpt_no_more_conform_than_claude_is_a_threat() -> None:
    judged = literal(THREE, [table(), table(gamma_within_gpt=0.1), table()], THE_SAME)
    assert judged.outcome == "threat"
    assert "overlap in 1 of 3 repetitions (2)" in judged.reasons[0]
    assert "below that of gemini in 1 of 3" in judged.reasons[1]


def test_gpt_below_gemini_is_a_threat_without_any_overlap() -> None:
    judged = literal(THREE, [table(gamma_within_gpt=1.5)] * 3, THE_SAME)
    assert judged.outcome == "threat"
    assert judged.figures["below"].tolist() == [True] * 3
    assert judged.figures["overlap"].tolist() == [False] * 3


def test_one_figure_off_by_a_quarter_leaves_it_open() -> None:
    judged = literal(THREE, [table(), table(), table(alpha_claude=1.48 + np.log(1.25))], THE_SAME)
    assert judged.outcome == "inconclusive"
    assert judged.reasons == ("26 of 27 odds ratios are within 20% of Table 1",)


def test_one_repetition_off_may_still_be_equivalent_on_the_mean() -> None:
    """0.8 to 1.2 in odds holds a mean 0.05 off with an error of 0.03; one repetition is 0.19 off."""
    shifts = (0.19, 0.02, 0.03, 0.01, 0.0)
    rule = literal(tuple("12345"), [table(shift) for shift in shifts], THE_SAME)
    assert rule.outcome == "inconclusive"
    judged = equivalent(summary(*shifts, se=0.1), THE_SAME, rule)
    assert judged.outcome == "retired"
    assert judged.figures["equivalent"].all()
    assert judged.figures["ratio"].to_numpy() == pytest.approx(np.exp(0.05))


def test_equivalence_is_two_one_sided_t_tests() -> None:
    """Mean 0, sd 0.1, R = 3: t = log(1.2) sqrt(3) / 0.1 = 3.158 on 2 degrees, p = 0.0437."""
    rule = literal(THREE, [table(shift) for shift in (-0.1, 0, 0.1)], THE_SAME)
    judged = equivalent(summary(-0.1, 0, 0.1, se=0.2), THE_SAME, rule)
    assert judged.figures["p"].to_numpy() == pytest.approx(0.0437, abs=1e-4)
    assert judged.outcome == "retired"


def test_repetitions_that_differ_by_more_than_chance_are_not_retired() -> None:
    rule = literal(THREE, [table(shift) for shift in (-0.1, 0, 0.1)], THE_SAME)
    judged = equivalent(summary(-0.1, 0, 0.1, se=0.01), THE_SAME, rule)
    assert judged.outcome == "inconclusive"
    assert judged.reasons == ("0 of 9 means are shown to be within 20% of Table 1",)


def test_a_threat_stays_one_whatever_the_means() -> None:
    rule = literal(THREE, [table(), table(gamma_within_gpt=0.1), table()], THE_SAME)
    assert equivalent(summary(0, 0, 0.01), THE_SAME, rule).outcome == "threat"


def test_with_a_model_missing_only_what_can_be_told_is() -> None:
    two = {"gpt": "gpt", "claude": "claude"}
    judged = literal(THREE, [table()] * 3, two)
    assert judged.outcome == "inconclusive"
    assert judged.figures["below"].isna().all()
    assert judged.figures["of"].tolist() == [6] * 3
    assert "gemini of the paper: none of these models" in judged.reasons[1]


def test_models_of_the_runs_stand_for_those_of_the_paper() -> None:
    assert matched(("gpt", "other"), {"claude": "other"}) == {"gpt": "gpt", "claude": "other"}
    assert matched(("a",), {}) == {}
    with pytest.raises(UnknownModel, match="the paper has no model 'bard'"):
        matched(("a",), {"bard": "a"})
    with pytest.raises(UnknownModel, match="no model 'b'; they have a"):
        matched(("a",), {"gpt": "b"})
    with pytest.raises(UnknownModel, match="'a' stands for gpt and claude"):
        matched(("a",), {"gpt": "a", "claude": "a"})


def test_the_table_is_that_of_the_paper() -> None:
    known = table1().set_index(["model", "term"])
    assert known.loc[("gpt", "alpha"), "coef"] == 2.12
    assert (known["low"].dropna() < known["coef"][known["low"].notna()]).all()
    assert (known["high"].dropna() > known["coef"][known["high"].notna()]).all()
