"""A condition is named by what tells it apart in its run."""

from __future__ import annotations

from tests.analysis.report.frames import conditions, design

ROUND_ROBIN = design(protocol="round_robin")
BACK = design(protocol="round_robin", order="2-1")


def test_one_condition_needs_no_words_but_its_panel() -> None:
    names = conditions(design())
    assert names.heading(design()) == "alpha + beta"
    assert names.rest(design()) == []


def test_the_first_speaker_is_named_where_two_speak_in_turn() -> None:
    names = conditions(design(), ROUND_ROBIN, BACK)
    assert names.rest(design()) == ["synchronous"]
    assert names.rest(ROUND_ROBIN) == ["round-robin", "alpha first"]
    assert names.rest(BACK) == ["round-robin", "beta first"]


def test_three_speakers_are_named_in_their_order() -> None:
    three = [design(protocol="round_robin", panel="a+b+c", order=order) for order in ("1-2-3", "3-1-2")]
    assert conditions(*three).rest(three[1]) == ["c → a → b"]


def test_a_model_that_debates_itself_is_no_first_speaker() -> None:
    same = [design(protocol="round_robin", panel="a+a", order=order) for order in ("1-2", "2-1")]
    assert conditions(*same).rest(same[1]) == ["order 2-1"]


def test_steering_is_said_once_for_all_seats_and_only_where_it_differs_within_the_protocol() -> None:
    steered = design(steering="kind+kind")
    mixed = design(steering="default+kind")
    names = conditions(design(), steered, mixed, ROUND_ROBIN)
    assert [names.rest(one)[1:] for one in (design(), steered, mixed)] == [
        ["default"],
        ["kind"],
        ["default + kind"],
    ]
    assert names.rest(ROUND_ROBIN) == ["round-robin"]


def test_conditions_pooled_over_panels_have_no_heading() -> None:
    names = conditions(design(), BACK)
    assert names.heading({"stage": "debate", "protocol": "round_robin"}) == ""
    assert names.rest({"stage": "debate", "protocol": "round_robin", "order": "2-1"})[1:] == ["order 2-1"]


def test_a_further_stage_is_in_the_heading() -> None:
    names = conditions(design(), design(stage="longer"))
    assert names.heading(design(stage="longer")) == "alpha + beta, stage longer"
    assert names.heading(design()) == "alpha + beta"
    assert names.heading({"steering": "default"}) == "", "pooled over stages"


def test_small_panels_and_the_default_come_first() -> None:
    three, steered = design(panel="a+b+c"), design(steering="balanced+balanced")
    names = conditions(three, steered, design())
    assert sorted((three, steered, design()), key=names.rank) == [design(), steered, three]
