"""Views, sitting judges, re-asks and votes from the experiment file to the rows of a run."""

from __future__ import annotations

import json

import pytest

from protocols.dialogue import Ask
from ray_jobs.cases import CaseRow
from ray_jobs.casting import cast
from ray_jobs.design import cells
from ray_jobs.plan import Plan
from ray_jobs.rehearsal import rehearse
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study


def asks(protocol: dict[str, object] | str, panel: str, case: CaseRow | None = None) -> list[Ask]:
    """Every ask of a debate in which nobody agrees."""
    experiment = study(panels=[list(panel)], protocols=[protocol], rounds=2)
    row = case or case_rows(1)[0]
    plan = Plan(experiment, [row.id])
    return [ask for _, ask in rehearse(experiment, plan, row, plan.debate(0), agree=False, full=False)]


def test_whom_a_seat_hears_goes_by_the_panel_whatever_it_is_called() -> None:
    """Seat 1 is the hub, also where labels or the order call it otherwise."""
    for protocol, order in (("synchronous", {}), ("round_robin", {"orders": [[3, 1, 2]]})):
        experiment = study(panels=[["a", "b", "a"]], protocols=[{protocol: {"hears": "star", **order}}])
        (row,) = case_rows(1)
        plan = Plan(experiment, [row.id])
        for seat in cast(experiment, plan.cells[0], row, plan.debate(0)).seats:
            hub = f"you see only what comes from Agent {plan.called(plan.debate(0))[0]}."
            assert (hub in seat.system) == (seat.name != "seat1")


def test_a_limited_view_is_another_variant() -> None:
    protocols = ["synchronous", {"synchronous": {"exposure": "counts"}}, {"synchronous": {"exposure": "all"}}]
    found = cells(study(panels=[["a", "b"]], protocols=protocols).products)
    assert [json.loads(cell.variant) for cell in found] == [
        {"rounds": 4},
        {"rounds": 4, "exposure": "counts"},
    ]


@pytest.mark.parametrize(
    ("steering", "told"),
    [("default", "default"), ("none", "none"), ("adversarial", "none"), ("value:care", "value:care")],
)
def test_who_hears_nobody_has_no_goals_that_speak_of_others(steering: str, told: str) -> None:
    (cell,) = cells(study(panels=[["a", "b"]], protocols=["reask"], steering=steering).products)
    assert (cell.steering, cell.order, cell.labels) == ((told, told), (1, 2), "fixed")


def test_a_reask_has_a_turn_of_every_seat_in_every_round() -> None:
    experiment = study(panels=[["a", "b"], ["a"]], protocols=["reask"], rounds=3)
    two, one = played(experiment, case_rows(1))
    places = [(turn["round"], turn["seat"]) for turn in two["turns"]]
    assert places == [(round, seat) for round in (1, 2, 3) for seat in ("seat1", "seat2")]
    assert [turn["round"] for turn in one["turns"]] == [1, 2, 3]
    assert two["debates"][0]["variant"] == '{"rounds":3}'


def test_a_vote_is_a_verdict_of_the_panel() -> None:
    experiment = study(panels=[["a", "b"]], protocols=["majority"], rounds=5)
    for rows in played(experiment, case_rows(4)):
        (debate,) = rows["debates"]
        given = [turn["label"] for turn in rows["turns"]]
        assert (debate["outcome"], debate["standing"], debate["calls"]) == ("verdict", "verdict", 10)
        assert given.count(debate["consensus_label"]) == max(map(given.count, given))
        assert debate["consensus_round"] is None


def test_the_first_round_of_a_hybrid_is_written_together() -> None:
    found = cells(study(panels=[["a", "b"]], protocols=["hybrid"]).products)
    assert [(cell.order, cell.labels) for cell in found] == [((1, 2), "speaking"), ((2, 1), "speaking")]
    heard = [len(ask.facts.seen) for ask in asks("hybrid", "ab")]
    assert heard == [0, 0, 1, 2]


def test_a_judge_who_sits_in_is_asked_and_its_questions_are_replies() -> None:
    protocol = {"debate": {"sits_in": "b", "turns": 3}}
    experiment = study(
        panels=[["a", "a"]], protocols=[protocol], stages=[{"name": "judged", "judges": ["b"]}]
    )
    plan = Plan(experiment, ["case1"])
    assert plan.models == plan.asked(plan.debate(0)) == {"a", "b"}
    kinds = [
        (ask.kind, ask.model, ask.seat, ask.round) for ask in asks(protocol, "aa") if ask.kind == "judge"
    ]
    assert kinds == [("judge", "b", "judge", 2), ("judge", "b", "judge", 3)]
    debate, judgment = played(experiment, case_rows(4)[2:3])
    questions = [reply["text"] for reply in debate["replies"] if reply["kind"] == "judge"]
    assert {turn["seat"] for turn in debate["turns"]} == {"seat1", "seat2"}
    (reply,) = judgment["replies"]
    assert len(questions) in (0, 2)  # none where both open with one verdict
    for question in questions:
        assert question.removeprefix("Argument: ") in reply["messages"][1]["content"]


def test_a_reask_goes_on_from_first_answers_that_a_debate_shares() -> None:
    """Both arms have one round 1, so they differ in what is heard alone."""
    stages = [{"name": "arms", "protocols": ["synchronous", "reask"], "rounds": 2}]
    experiment = study(panels=[["a", "b"]], protocols=["solo"], stages=stages)
    alone, debate, again = played(experiment, case_rows(1))
    first = [
        [turn["label"] for turn in rows["turns"] if turn["round"] == 1] for rows in (alone, debate, again)
    ]
    assert first[0] == first[1] == first[2]
    assert {turn["opening"] for turn in again["turns"] if turn["round"] == 2} == {False}
