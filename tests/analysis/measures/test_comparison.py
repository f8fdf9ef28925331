"""Orders, steerings and panels compared, paired by case, against figures by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from analysis.contrast import MCNEMAR, UNPAIRED
from analysis.measures import comparison
from analysis.t_test import T_TEST
from tests.analysis.counting import coursed, said
from tests.analysis.synthetic import Debate

pytestmark = pytest.mark.long


def debates(
    order: str = "1-2", steering: str = "default", models: str = "alpha beta", **cases: str
) -> list[Debate]:
    """One round_robin debate per case, of rounds divided by spaces."""
    return [
        Debate(
            f"{order} {steering} {models} {case}",
            "round_robin",
            tuple(models.split()),
            order,
            steering,
            said(*rounds.split()),
            case=case,
        )
        for case, rounds in cases.items()
    ]


def rows(found: pd.DataFrame, **keys: object) -> list[dict[str, object]]:
    chosen = found
    for name, value in keys.items():
        chosen = chosen[chosen[name].isna() if value is None else chosen[name] == value]
    return [{str(name): value for name, value in row.items()} for row in chosen.to_dict("records")]


ORDERS = [
    *debates("1-2", a="NN", b="NN", c="NY NN", d="NY NY"),
    *debates("2-1", a="NN", b="NY YY", c="NY YY", e="NN"),
]


def test_order_effect_on_ending_in_one_round_is_paired_by_dilemma() -> None:
    found = comparison.consensus(coursed(ORDERS), "order")
    [row] = rows(found, round=1)
    assert (row["value"], row["against"], row["cases"]) == ("2-1", "1-2", 3)
    assert (row["numerator"], row["against_numerator"]) == (1, 2)
    assert row["estimate"] == pytest.approx(-1 / 3)
    assert row["relative"] == pytest.approx(-1 / 2)
    assert (row["gained"], row["lost"], row["p"], row["test"]) == (0, 1, 1, MCNEMAR)
    [never] = rows(found, round=None)
    assert (never["numerator"], never["against_numerator"]) == (0, 0), "the one without consensus is unpaired"


def test_shares_by_round_differ_by_nothing_in_sum() -> None:
    found = comparison.consensus(coursed(ORDERS), "order")
    assert found["estimate"].sum() == pytest.approx(0)


def test_order_effect_on_change_of_the_same_seat() -> None:
    found = comparison.changes(coursed(ORDERS), "order")
    for seat, numerator, against in (("seat 1", 2, 0), ("seat 2", 0, 1)):
        [row] = rows(found, level="seat", seat=seat, among="all", event="changed")
        assert (row["numerator"], row["against_numerator"], row["cases"]) == (numerator, against, 3)


def test_order_effect_on_what_is_agreed_in_cases_with_consensus_under_both() -> None:
    found = comparison.verdicts(coursed(ORDERS), "order")
    [row] = rows(found, verdict="NTA")
    assert (row["numerator"], row["against_numerator"], row["cases"]) == (1, 3, 3)


def test_six_orders_of_three_stand_against_all_before_them() -> None:
    orders = ("1-2-3", "1-3-2", "2-1-3", "2-3-1", "3-1-2", "3-2-1")
    three = [
        one for order in orders for one in debates(order, "default", "alpha beta gamma", a="NNN", b="NNY NNN")
    ]
    found = comparison.consensus(coursed(three), "order")
    assert len(rows(found, round=1)) == 15
    assert set(found["estimate"]) == {0}


def test_steerings_stand_against_the_default_in_points_and_relative_to_it() -> None:
    steered = [
        *debates(steering="default+default", a="NY NN", b="NN", c="NY NN"),
        *debates(steering="adversarial+adversarial", a="NY NY", b="NY YY", c="NY NN"),
        *debates(steering="balanced+balanced", a="NN", b="NN", c="NN"),
    ]
    found = comparison.changes(coursed(steered), "steering")
    assert set(found["against"]) == {"default+default"}
    [row] = rows(
        found, value="adversarial+adversarial", level="debate", model="alpha", among="all", event="changed"
    )
    assert (row["numerator"], row["against_numerator"]) == (1, 0)
    assert row["estimate"] == pytest.approx(1 / 3)
    assert pd.isna(row["relative"]), "relative to none"
    [row] = rows(found, value="balanced+balanced", level="debate", model="beta", among="all", event="changed")
    assert (row["estimate"], row["relative"]) == (pytest.approx(-2 / 3), -1)
    [never] = rows(
        comparison.consensus(coursed(steered), "steering"), round=None, value="adversarial+adversarial"
    )
    assert never["estimate"] == pytest.approx(1 / 3)


def test_steerings_are_compared_within_a_panel_even_when_panels_are_pooled() -> None:
    """The panel of three has one steering, which is no steering "less" that of two; nor is another order."""
    steered = [
        *debates(steering="default+default", a="NY NN", b="NN"),
        *debates(steering="balanced+balanced", a="NN", b="NN"),
        *debates("2-1", steering="adversarial+adversarial", a="NN", b="NN"),
        *debates("1-2-3", steering="default+default+default", models="alpha beta gamma", a="NNN", b="NNN"),
    ]
    for measure in (comparison.consensus, comparison.changes):
        found = measure(coursed(steered), "steering", by=("protocol", "steering"))
        assert found[["panel", "value", "against"]].drop_duplicates().to_numpy().tolist() == [
            ["alpha+beta", "balanced+balanced", "default+default"]
        ]
    assert comparison.verdicts(coursed(steered[4:]), "steering", by=("protocol", "steering")).empty


def test_panels_without_a_common_model_are_compared_as_panels() -> None:
    sizes = [
        *debates(models="small-a small-b", a="NY NY", b="NY YN", c="NN"),
        *debates(models="large-a large-b", a="NY NN", b="NY NY", c="NN"),
    ]
    found = comparison.changes(coursed(sizes), "panel")
    assert set(found["level"]) == {"panel"}
    [row] = rows(found, among="no consensus", event="changed")
    assert (row["value"], row["against"], row["cases"]) == ("small-a+small-b", "large-a+large-b", 1)
    assert (row["numerator"], row["against_numerator"]) == (1, 0), "of the one case without consensus on both"
    [never] = rows(comparison.consensus(coursed(sizes), "panel"), round=None)
    assert (never["numerator"], never["against_numerator"], never["cases"]) == (2, 1, 3)


def test_a_model_on_both_panels_is_compared_by_itself() -> None:
    found = comparison.changes(
        coursed([*debates(a="NY YY"), *debates(models="alpha gamma", a="NY NN")]), "panel"
    )
    [row] = rows(found, level="debate", among="all", event="changed")
    assert (row["model"], row["numerator"], row["against_numerator"]) == ("alpha", 0, 1)


def test_panels_on_different_cases_cannot_be_compared() -> None:
    found = comparison.consensus(coursed([*debates(a="NN"), *debates(models="alpha gamma", b="NN")]), "panel")
    assert set(found["reason"]) == {UNPAIRED}
    assert found[["estimate", "low", "high", "p"]].isna().all(axis=None)


def test_repeated_debates_of_a_case_are_tested_by_case() -> None:
    again = [
        *ORDERS,
        Debate("again", "round_robin", ("alpha", "beta"), "1-2", "default", said("NN"), case="a"),
    ]
    found = comparison.consensus(coursed(again), "order")
    tested = found[found["test"] != ""]
    assert set(tested["test"]) == {T_TEST}
    assert tested["p"].notna().all()
    assert found[found["p"].isna()]["reason"].ne("").all()
    assert 1 in tested["round"].tolist()


def test_one_condition_has_nothing_to_be_compared_with() -> None:
    for vary in ("order", "steering", "panel"):
        assert comparison.consensus(coursed(debates(a="NN")), vary).empty
        assert comparison.changes(coursed(debates(a="NN")), vary).empty
        assert comparison.verdicts(coursed(debates(a="NN")), vary).empty
