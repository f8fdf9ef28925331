"""Confederates in a design: which debates there are, what each plants, and what its rows say."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from protocols.answer_format import VERDICTS
from ray_jobs.case_checks import check_cases
from ray_jobs.cases import CaseRow
from ray_jobs.design import cells
from ray_jobs.design_row import design_row
from ray_jobs.experiment import Experiment
from ray_jobs.located import ExperimentError
from ray_jobs.plan import Plan
from tests.ray_jobs.plays import case_rows, played
from tests.ray_jobs.studies import study


def planting(protocol: str = "synchronous", panel: str = "ab", **planted: Any) -> Experiment:
    """Debates of two rounds in which the second seat, or what is given, is a confederate."""
    params = {"rounds": 2, "stop": "never", "planted": {"seats": [2], **planted}}
    return study(panels=[list(panel)], protocols=[{protocol: params}])


def test_what_is_planted_stands_written_out_in_the_variant() -> None:
    (cell,) = cells(planting().products)
    assert json.loads(cell.variant) == {
        "planted": {"seats": [2], "verdict": "drawn"},
        "rounds": 2,
        "stop": "never",
    }
    assert cell.params == {"rounds": 2, "stop": "never"}
    assert cells(planting(verdict="drawn").products) == [cell]


def test_crossed_verdicts_are_cells() -> None:
    found = cells(planting(verdict="crossed", text="I am sure.").products)
    assert [json.loads(cell.variant)["planted"]["verdict"] for cell in found] == list(VERDICTS)
    assert len(set(found)) == 5


def test_a_confederate_is_told_apart_from_a_seat_of_the_same_model() -> None:
    """In turn, one model before its own confederate, and after it."""
    assert [cell.order for cell in cells(planting("round_robin", "aa").products)] == [(1, 2), (2, 1)]
    three = cells(planting("hybrid", "aaa").products)
    assert [cell.order for cell in three] == [(1, 2, 3), (1, 3, 2), (2, 1, 3)]


def test_seats_that_hear_differently_are_told_apart() -> None:
    star = study(panels=[["a", "a", "a"]], protocols=[{"round_robin": {"hears": "star"}}])
    assert len(cells(star.products)) == 6


def test_the_drawn_label_is_uniform_and_stands_in_every_row() -> None:
    """Of 2,000 debates each label is planted in 400, give or take five standard deviations of 18."""
    experiment = planting(text="I am sure.")
    plan = Plan(experiment, [row.id for row in case_rows(2000)])
    found = Counter(design_row(plan, debate, "run")["planted"] for debate in plan)
    assert set(found) == set(VERDICTS)
    assert all(abs(count - 400) < 90 for count in found.values())
    for rows in played(experiment, case_rows(3)):
        (debate,) = rows["debates"]
        own = [turn for turn in rows["turns"] if turn["seat"] == "seat2"]
        assert {turn["planted"] for turn in rows["turns"]} == {debate["planted"]}
        assert [(turn["label"], turn["stance"], turn["status"]) for turn in own] == [
            (debate["planted"], debate["planted"], "ok")
        ] * 2
        assert {turn["stance"] for turn in rows["turns"] if turn["seat"] == "seat1"} == {None}
        assert {reply["seat"] for reply in rows["replies"]} == {"seat1"}
        assert debate["calls"] == 2


def test_a_simulated_model_defends_what_is_planted() -> None:
    for rows in played(planting(panel="ba"), case_rows(3)):
        own = {turn["label"] for turn in rows["turns"] if turn["seat"] == "seat2"}
        assert own == {rows["debates"][0]["planted"]}
        assert rows["debates"][0]["calls"] == 4


def test_a_judgment_has_what_was_planted_in_the_debate_judged() -> None:
    params = {"rounds": 2, "planted": {"seats": [1], "text": "I am sure."}}
    experiment = study(
        panels=[["a", "b"]],
        protocols=[{"synchronous": params}],
        stages=[{"name": "judged", "judges": ["b"]}],
    )
    debate, judgment = played(experiment, case_rows(1))
    assert judgment["judgments"][0]["planted"] == debate["debates"][0]["planted"] is not None


QUESTION = CaseRow("q", "", "Which?", options=["one", "two", "three"])


def test_a_question_has_a_letter_planted() -> None:
    experiment = planting(text="I am sure.")
    check_cases(experiment, [QUESTION])
    (rows,) = played(experiment, [QUESTION])
    assert rows["debates"][0]["planted"] in ("A", "B", "C")
    assert {turn["label"] for turn in rows["turns"] if turn["seat"] == "seat2"} == {
        rows["debates"][0]["planted"]
    }


@pytest.mark.parametrize(
    ("planted", "case", "says"),
    [
        (
            {"verdict": "D"},
            QUESTION,
            "q: the case 'q' has the labels A, B, C; D is to be planted; allowed: one",
        ),
        ({"verdict": "crossed"}, QUESTION, "labels A, B, C; NTA is to be planted"),
        ({"verdict": "A"}, case_rows(1)[0], "has the labels NTA, YTA, ESH, NAH, INFO; A is to be planted"),
        (
            {"text": {"NTA": "I am sure."}},
            case_rows(1)[0],
            "planted.text has none for YTA; allowed: one for every",
        ),
    ],
)
def test_what_does_not_fit_the_cases_is_refused(planted: dict[str, Any], case: CaseRow, says: str) -> None:
    with pytest.raises(ExperimentError, match=says):
        check_cases(planting(**planted), [case])


def test_each_label_may_have_a_text_of_its_own() -> None:
    texts = {label: f"It is {label}." for label in VERDICTS}
    for rows in played(planting(text=texts, verdict="crossed"), case_rows(1)):
        said = {turn["explanation"] for turn in rows["turns"] if turn["seat"] == "seat2"}
        assert said == {f"It is {rows['debates'][0]['planted']}."}
