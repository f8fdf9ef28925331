"""Casting: who sits where, is called what, and is told what."""

import pytest

from protocols.case import Case
from protocols.dialogue import Reply
from protocols.play import Play
from protocols.transcript import Transcript
from ray_jobs.cases import CaseRow
from ray_jobs.casting import cast
from ray_jobs.debate import Debate
from ray_jobs.design_row import design_row
from ray_jobs.plan import Plan
from ray_jobs.staging import stage
from tests.ray_jobs.studies import study

ROW = CaseRow("x", "A title.", "A long story.")
EXPERIMENT = study(
    models={
        "a": {"backend": "vllm", "model": "org/a", "max_tokens": 9, "temperature": 0.5},
        "b": {"backend": "simulated"},
    },
    panels=[["a", "b", "a"]],
    protocols=[{"round_robin": {"orders": [[3, 1, 2]], "stop": "never"}}, "synchronous", "solo"],
    rounds=2,
    steering=[["none", "value:care", "default"]],
    answer="json",
    labels="crossed",
    prompts={
        "debate_round_robin": "$label of $seats, with $others; $rounds rounds; speaks as number $position.",
        "goals_value": "Heed $value.",
    },
)
PLAN = Plan(EXPERIMENT, [ROW.id])
DEBATES = list(PLAN)


def played(debate: Debate) -> Case:
    """The case of a debate of the plan."""
    return cast(EXPERIMENT, PLAN.cells[debate.cell], ROW, debate)


def test_seats_stand_in_speaking_order_under_the_names_of_their_places() -> None:
    case = played(DEBATES[0])
    assert [(seat.name, seat.label, seat.model, seat.steering) for seat in case.seats] == [
        ("seat3", "Agent 1", "a", "default"),
        ("seat1", "Agent 2", "a", "none"),
        ("seat2", "Agent 3", "b", "value:care"),
    ]
    assert (case.id, case.text, case.title, case.seed) == ("x", ROW.text, ROW.title, DEBATES[0].seed)
    assert case.answer_format.name == "json"


@pytest.mark.parametrize("debate", DEBATES, ids=lambda debate: debate.debate_id)
def test_the_labels_column_says_how_each_seat_of_the_panel_is_called(debate: Debate) -> None:
    case = played(debate)
    by_name = {seat.name: seat.label for seat in case.seats}
    called = [by_name[f"seat{place}"].removeprefix("Agent ") for place in (1, 2, 3)]
    assert "-".join(called) == design_row(PLAN, debate, "run")["labels"]
    assert [seat.label for seat in case.seats] == ["Agent 1", "Agent 2", "Agent 3"]


def test_each_seat_is_told_of_the_case_its_own_label_and_its_goals() -> None:
    """In a debate; alone it hears of neither."""
    first, _, third = played(DEBATES[0]).seats
    assert ROW.text in first.system
    assert "Agent 1 of 3, with Agent 2 and Agent 3; 2 rounds; speaks as number 1." in first.system
    assert "Agent 3 of 3, with Agent 1 and Agent 2; 2 rounds; speaks as number 3." in third.system
    assert "Heed care." in third.system
    assert "Heed" not in first.system
    assert len({first.prompt_hash, third.prompt_hash}) == 2
    assert all("Agent" not in seat.system for seat in played(DEBATES[-1]).seats)


def test_replies_are_drawn_as_the_model_block_says() -> None:
    seats = {seat.name: seat for seat in played(DEBATES[0]).seats}
    assert (seats["seat1"].sampling.max_tokens, seats["seat1"].sampling.temperature) == (9, 0.5)
    assert seats["seat2"].sampling == EXPERIMENT.models["b"].sampling()


@pytest.mark.parametrize("debate", DEBATES, ids=lambda debate: debate.debate_id)
def test_a_debate_is_played_by_its_cells_protocol_and_parameters(debate: Debate) -> None:
    """All agree from the first: only `stop: never` goes on."""
    cell = PLAN.cells[debate.cell]
    play: Play[Transcript] = Play(stage(EXPERIMENT, PLAN, ROW, debate).dialogue, debate.seed)
    while not play.done:
        for slot in play.open:
            play.answer(slot, Reply('{"verdict": "NTA", "explanation": "So."}'))
    assert play.outcome.rounds == (2 if cell.protocol == "round_robin" else 1)
