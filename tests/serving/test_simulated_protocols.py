"""Simulated models answer what any protocol asks, and its transformers, in the form asked for."""

from __future__ import annotations

import asyncio

import pytest

from protocols import PROTOCOLS
from protocols.answer_format import LETTERS, AnswerFormat, FormatName
from protocols.best_of_n import best_of_n
from protocols.case import Case, Seat
from protocols.critiqued import critiqued
from protocols.dialogue import Sampling
from protocols.judge import judge
from protocols.transcript import Transcript
from protocols.transformed import Assistant
from serving.blocks import SimulatedBlock
from serving.simulated import Simulated
from tests.protocols.part_cases import WINNERS
from tests.serving.oversight_study import play

SEATS = tuple(Seat(f"seat{n}", f"Agent {n}", "model", "") for n in (1, 2))
ASSISTANTS = {seat.name: Assistant("model", Sampling()) for seat in SEATS}
JUDGE = Seat("judge", "Judge", "model", "")
LAWS = {
    "logit": SimulatedBlock(backend="simulated"),
    "oversight": SimulatedBlock.model_validate(
        {"backend": "simulated", "oversight": {"knows": {"case": {"truth": "x"}}}}
    ),
}


def cases(name: FormatName, seed: int) -> list[Case]:
    question = AnswerFormat(name, "answer", LETTERS[:3], ("w", "x", "y"))
    return [
        Case("case", "?", SEATS, answer_format=form, seed=seed) for form in (question, AnswerFormat(name))
    ]


def played(protocol: str, case: Case, law: str, wrapped: bool) -> Transcript:
    dialogue = PROTOCOLS[protocol](case)
    if wrapped:
        dialogue = best_of_n(critiqued(dialogue, case, ASSISTANTS), case, 2, ASSISTANTS)
    return asyncio.run(play(dialogue, case.seed, {"model": Simulated(LAWS[law])}))


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_turn_of_every_protocol_reads_as_ok(protocol: str, law: str, wrapped: bool) -> None:
    for seed, name in enumerate(("text", "json")):
        for case in cases(name, seed):  # type: ignore[arg-type]
            transcript = played(protocol, case, law, wrapped)
            for turn in transcript.turns:
                assert turn.reading.status == "ok"
                assert turn.stated.violation is None


def test_with_swapped_stances_each_argues_for_the_other_answer() -> None:
    for seed in range(10):
        (case, _) = cases("text", seed)
        swapped = Case(
            case.id, case.text, SEATS, answer_format=case.answer_format, seed=seed, stance_swap=True
        )
        first, second, *arguments = played("debate", swapped, "oversight", wrapped=False).turns
        for turn in arguments:
            assert turn.label == (second if turn.seat == "seat1" else first).label


@pytest.mark.parametrize("law", LAWS)
def test_judges_answer_with_an_option_or_a_verdict(law: str) -> None:
    for case in cases("json", 5):
        transcript = played("synchronous", case, law, wrapped=False)
        asked = judge(case, transcript, seat=JUDGE, answer_format=case.answer_format)
        judgment = asyncio.run(play(asked, 5, {"model": Simulated(LAWS[law])}))
        assert judgment.reading.status == "ok"


@pytest.mark.parametrize("law", LAWS)
def test_judges_name_a_winner(law: str) -> None:
    for case in cases("text", 1):
        transcript = played("debate", case, law, wrapped=False)
        asked = judge(case, transcript, seat=JUDGE, answer_format=AnswerFormat("text", "winner", WINNERS))
        judgment = asyncio.run(play(asked, 1, {"model": Simulated(LAWS[law])}))
        assert judgment.reading.label in WINNERS
