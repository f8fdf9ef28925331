"""The measures of values on debates small enough to count by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from analysis.estimates import ONE_CASE
from analysis.values import inherited, likeness, use
from analysis.values.census import census
from analysis.values.telling import Told
from tests.analysis.values.labelled import Labelled, labels_of, measured, talk

BY = ("protocol",)


def row(told: Told, **keys: str) -> dict[str, Any]:
    """The one row with these keys."""
    frame = told.frame
    for name, value in keys.items():
        frame = frame[frame[name] == value]
    [found] = frame.to_dict("records")
    return {str(name): value for name, value in found.items()}


def similarity(*debates: Labelled, **keys: str) -> tuple[Any, ...]:
    """Numerator, denominator and what is lost; of Jaccard unless told otherwise."""
    found = row(likeness.estimate(measured(debates), BY)[0], **{"kind": "jaccard", "one": "alpha", **keys})
    return found["numerator"], found["denominator"], found["unreadable"]


def test_a_set_without_values_counts_among_messages_and_one_without_a_label_does_not() -> None:
    told, apart = use.estimate(measured([talk("N:a Y:", "N:(missing) Y:-")]), BY)
    assert [row(told, model="alpha", value="a")[name] for name in ("numerator", "denominator")] == [1, 1]
    beta = row(told, model="beta", value="a")
    assert (beta["numerator"], beta["denominator"], beta["failed"]) == (0, 1, 1)
    assert row(told, model="alpha", value="a")["unreadable"] == 1
    assert row(apart, model="alpha", against="beta", value="a")["estimate"] == 1


def test_a_value_that_nobody_uses_has_a_share_of_0() -> None:
    told, _ = use.estimate(measured([talk("N:a Y:b", case=case, id=case) for case in "xy"]), BY)
    unused = row(told, model="alpha", value="h")
    assert (unused["estimate"], unused["low"], unused["high"], unused["reason"]) == (0, 0, 0, "")


def test_one_case_has_no_interval_and_no_test() -> None:
    told, apart = use.estimate(measured([talk("N:a Y:b")]), BY)
    alone = row(told, model="alpha", value="a")
    assert alone["reason"] == ONE_CASE
    assert pd.isna(alone["low"])
    assert pd.isna(row(apart, model="alpha", value="a")["p"])


def test_without_any_label_there_is_no_share_but_a_reason() -> None:
    told, _ = use.estimate(measured([talk("N:a Y:-")]), BY)
    none = row(told, model="beta", value="a")
    assert pd.isna(none["estimate"])
    assert none["reason"] == use.EMPTY


def test_round_1_alone() -> None:
    counted = measured([talk("N:a Y:", "N:ab N:")])
    assert row(use.estimate(counted, BY, rounds="1")[0], model="alpha", value="b")["denominator"] == 1
    assert row(use.estimate(counted, BY)[0], model="alpha", value="b")["numerator"] == 1


def test_use_by_verdict_leaves_out_what_has_none() -> None:
    told = use.estimate_verdicts(measured([talk("N:a ?:a", "Y:ab N:")]), BY)
    assert row(told, model="alpha", verdict="YTA", value="b")["numerator"] == 1
    assert row(told, model="beta", verdict="NTA", value="a")["denominator"] == 1
    assert set(told.frame["verdict"]) == {"NTA", "YTA"}


def test_two_empty_sets_are_left_out_and_one_empty_set_is_0() -> None:
    assert similarity(talk("N:a N:", "N: N:"), within="agreement") == (0, 1, 0)


def test_similarity_by_hand() -> None:
    debate = talk("N:ab N:bc", "N:ad Y:ad", "N:a Y:-")
    assert similarity(debate, within="agreement") == (pytest.approx(1 / 3), 1, 0)
    assert similarity(debate, within="disagreement") == (1, 1, 1)
    assert similarity(debate, within="agreement", kind="soft")[0] == pytest.approx(1.5 / 3), "a with c"


def test_a_value_has_one_partner_in_the_soft_variant() -> None:
    assert similarity(talk("N:a N:bc"), within="agreement", kind="soft")[0] == pytest.approx(0.5 / 3)


def test_an_unreadable_verdict_neither_agrees_nor_disagrees() -> None:
    told, _ = likeness.estimate(measured([talk("N:a ?:a", "N:a N:a")]), BY)
    assert told.frame.groupby("within")["denominator"].sum().to_dict() == {"agreement": 2, "disagreement": 0}


def test_self_debate_is_compared_with_itself_and_has_no_difference_of_models() -> None:
    debate = talk("N:a Y:b", models=("alpha", "alpha"))
    assert similarity(debate, other="alpha", within="disagreement") == (0, 1, 0)
    told, apart = use.estimate(measured([debate]), BY)
    assert row(told, model="alpha", value="a")["denominator"] == 2
    assert apart.frame.empty


def test_three_seats_agree_pair_by_pair_and_are_taken_together_too() -> None:
    debate = talk("N:a N:a Y:b", models=("alpha", "beta", "gamma"))
    assert similarity(debate, other="beta", within="agreement") == (1, 1, 0)
    assert similarity(debate, one="", within="agreement") == (1, 1, 0)
    assert similarity(debate, one="", within="disagreement") == (0, 2, 0)


def test_change_of_similarity_is_a_ratio_of_means() -> None:
    debates = [
        talk("N:ab Y:ac", "N:ab N:ab", id="1", case="x"),
        talk("N:a Y:b", "N:ab N:b", id="2", case="y"),
        talk("N:a Y:-", "N:a N:a", id="3", case="y"),
        talk("N:a N:b", "N:a N:a", id="4", case="y"),
    ]
    told, change = likeness.estimate_change(measured(debates), BY)
    first = row(told, kind="jaccard", ended="consensus", round="first")
    assert (first["numerator"], first["denominator"], first["unreadable"]) == (pytest.approx(1 / 3), 2, 1)
    found = row(change, kind="jaccard", ended="consensus")
    assert found["estimate"] == pytest.approx((1.5 - 1 / 3) / 2)
    assert found["relative"] == pytest.approx(1.5 / (1 / 3) - 1)


def test_a_similarity_that_begins_at_0_has_no_relative_change() -> None:
    _, change = likeness.estimate_change(measured([talk("N:a Y:b", "N:ab Y:b")]), BY)
    found = row(change, kind="jaccard", ended="no consensus")
    assert found["estimate"] == 0.5
    assert pd.isna(found["relative"])


def taken(debate: Labelled, window: str = "event", seats: str = "changed", model: str = "alpha") -> set[str]:
    """The values that a model inherits in one debate."""
    told, _ = inherited.estimate(measured([debate], window=window), BY)
    frame = told.frame[(told.frame["seats"] == seats) & (told.frame["model"] == model)]
    assert set(frame["denominator"]) <= {0, 1}
    return set(frame["value"][frame["numerator"] == 1])


def test_inherited_is_what_is_new_and_was_the_opponents() -> None:
    assert taken(talk("N:a Y:abc", "Y:abd Y:c")) == {"b"}


def test_flip_and_return_is_an_event_where_it_first_leaves() -> None:
    debate = talk("N:a Y:bc", "Y:b Y:", "N:ac Y:")
    assert taken(debate) == {"b"}
    assert taken(debate, "final") == {"c"}
    assert taken(debate, "any") == {"b", "c"}


def test_an_unreadable_turn_is_no_event() -> None:
    assert taken(talk("N:a Y:bc", "?:b Y:", "Y:c N:")) == {"c"}


def test_who_kept_its_verdict_is_taken_in_its_last_round() -> None:
    assert taken(talk("N:a Y:bc", "N:b Y:", "N:c Y:"), seats="kept") == {"c"}


def test_three_seats_inherit_from_any_opponent() -> None:
    debate = talk("N:a Y:b E:c", "Y:bc Y: E:", models=("alpha", "beta", "gamma"))
    assert taken(debate) == {"b", "c"}


def test_an_unlabelled_opponent_loses_the_event() -> None:
    told, _ = inherited.estimate(measured([talk("N:a Y:-", "Y:b Y:b")]), BY)
    lost = row(told, model="alpha", seats="changed", value="b")
    assert (lost["denominator"], lost["unreadable"]) == (0, 1)
    assert lost["reason"] == inherited.EMPTIES["changed"]


def test_steering_is_paired_by_case_in_points_and_relative() -> None:
    debates = [
        talk("N:a N:", id="1", case="x", steering="balanced"),
        talk("N:a N:", id="2", case="x"),
        talk("N:a N:", id="3", case="y", steering="balanced"),
        talk("N:b N:", id="4", case="y"),
        talk("N:a N:", id="5", case="only here", steering="balanced"),
    ]
    told = use.contrasts(measured(debates))
    found = row(told, model="alpha", steering="balanced", against="default", value="a")
    assert (found["numerator"], found["denominator"], found["cases"]) == (2, 2, 2)
    assert (found["estimate"], found["relative"]) == (0.5, 1)
    assert use.contrasts(measured(debates[:1])).frame.empty, "one steering only"


def test_steering_is_compared_within_a_panel_alone() -> None:
    """Of the panels of two one has both steerings; that of three has none to be compared with."""
    three, two = ("alpha", "beta", "gamma"), ("alpha", "gamma")
    debates = [
        talk("N:a N:", id="1", steering="default+default"),
        talk("N: N:", id="2", steering="balanced+balanced"),
        talk("N:a N: N:", id="3", models=three, steering="default+default+default"),
        talk("N:a N:", id="4", models=two, steering="default+default"),
    ]
    found = use.contrasts(measured(debates), by=BY)
    assert found.frame[["steering", "against"]].drop_duplicates().to_numpy().tolist() == [
        ["balanced+balanced", "default+default"]
    ]
    alpha = row(found, model="alpha", value="a")
    assert (alpha["numerator"], alpha["against_numerator"], alpha["against_denominator"]) == (0, 1, 1)
    assert use.contrasts(measured(debates[2:]), by=BY).frame.empty


def test_steering_is_pooled_over_panels_that_have_both_in_a_case() -> None:
    """Alpha is under both with beta in case x, with gamma in y; one message stands against one in each."""
    gamma = ("alpha", "gamma")
    debates = [
        talk("N:a N:", id="1", case="x"),
        talk("N: N:", id="2", case="x", steering="balanced"),
        talk("N:a N:", id="3", case="y"),
        talk("N:a N:", id="4", case="y", models=gamma),
        talk("N:a N:", id="5", case="y", models=gamma, steering="balanced"),
    ]
    alpha = row(use.contrasts(measured(debates), by=BY), model="alpha", value="a")
    assert (alpha["against_numerator"], alpha["against_denominator"]) == (2, 2), "without debate 3"
    assert (alpha["numerator"], alpha["denominator"], alpha["cases"]) == (1, 2, 2)


def test_debates_with_a_planted_verdict_are_left_out_and_their_labels_are_no_strays() -> None:
    variant = '{"planted":{"seats":[2],"text":"I am sure.","verdict":"drawn"},"rounds":2}'
    drawn = talk("N:a Y:a", "N:a Y:a", id="drawn", variant=variant)
    plain = talk("N:b Y:", id="plain")
    alone, both = measured([plain]), measured([plain, drawn])
    pd.testing.assert_frame_equal(use.estimate(both, BY)[0].frame, use.estimate(alone, BY)[0].frame)
    [counts] = census(labels_of([plain, drawn]), both).to_dict("records")
    assert (counts["labels"], counts["without_turn"]) == (6, 0)
