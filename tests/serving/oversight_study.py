"""A study of two simulated consultants and a simulated judge, played in this process."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, field, replace
from typing import TypeVar

from protocols import PROTOCOLS
from protocols.answer_format import LETTERS, AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Dialogue
from protocols.judge import Sees, judge
from protocols.play import Play
from protocols.seeds import draw
from protocols.transcript import Transcript
from serving.blocks import SimulatedBlock
from serving.simulated import Simulated
from tests.serving.oversight_theory import Consultant, Judge

T = TypeVar("T")

CASES, OPTIONS, TURNS, ARGUED = 500, 4, 4, 2
FIRST = Consultant(right=0.7, adopts_right=0.6, adopts_wrong=0.25, outside=0.15, unreadable=0.05)
SECOND = Consultant(right=0.45, adopts_right=0.35, adopts_wrong=0.5)
JUDGE = Judge(right=0.6, follows=0.85, q=0.75, outside_judge=0.2)
CONFIDENCE = {"right": (0.1, 0.2, 0.7), "wrong": (0.5, 0.3, 0.2)}
STATES_WRONGLY = 0.2
PLAYED: dict[str, tuple[str, int, bool]] = {
    "consultancy": ("consultancy", ARGUED, False),
    "consultancy swapped": ("consultancy", ARGUED, True),
    "double_consultancy": ("double_consultancy", ARGUED, False),
    "debate": ("debate", ARGUED, False),
    "debate swapped": ("debate", ARGUED, True),
    "disagreement_resolution": ("disagreement_resolution", TURNS, False),
}
"""By name the protocol, its turns, and whether stances are swapped."""


@dataclass
class Study:
    """By name in `PLAYED` the debates, each with the right option's label, and whether a judge was right.

    `openings` are those of all cases, the others go on from those of which exactly one is right. Under the
    name "nothing" is what the judge finds alone.
    """

    openings: list[tuple[str, Transcript]] = field(default_factory=list)
    debates: dict[str, list[tuple[str, Transcript]]] = field(default_factory=dict)
    judged: dict[str, list[bool]] = field(default_factory=dict)


def case(number: int) -> tuple[Case, str]:
    """A question whose options are listed in turn at every place, and the letter of the right one."""
    options = ["right", *(f"wrong {place}" for place in range(1, OPTIONS))]
    listed = tuple(options[(place + number) % OPTIONS] for place in range(OPTIONS))
    form = AnswerFormat(("text", "json")[number % 2], "answer", LETTERS[:OPTIONS], listed)
    seats = tuple(Seat(f"seat{n}", f"Agent {n}", name, "") for n, name in ((1, "first"), (2, "second")))
    question = Case(f"case {number}", "A question?", seats, answer_format=form, seed=number)
    return question, LETTERS[listed.index("right")]


def models() -> dict[str, Simulated]:
    """The three models by name."""
    knows = {f"case {number}": {"truth": "right"} for number in range(CASES)}
    laws = {
        "first": {**asdict(FIRST), "confidence": CONFIDENCE, "states_wrongly": STATES_WRONGLY},
        "second": asdict(SECOND),
        "judge": asdict(JUDGE),
    }
    return {
        name: Simulated(SimulatedBlock.model_validate(_block({**law, "knows": knows})))
        for name, law in laws.items()
    }


def _block(law: dict[str, object]) -> dict[str, object]:
    return {"backend": "simulated", "oversight": {key: law[key] for key in law if key != "options"}}


async def play(dialogue: Dialogue[T], seed: int, backends: dict[str, Simulated]) -> T:
    """What comes out of the dialogue."""
    played = Play(dialogue, seed)
    while not played.done:
        for slot in played.open:
            ask = played.step[slot]
            played.answer(slot, await backends[ask.model].answer(ask))
    return played.outcome


def played_study() -> Study:
    """The study, the same at every call."""
    return asyncio.run(_study(models()))


async def _study(backends: dict[str, Simulated]) -> Study:
    study = Study()
    for number in range(CASES):
        question, right = case(number)
        opened = await play(PROTOCOLS["solo"](question), number, backends)
        study.openings.append((right, opened))
        labels = [opened.final(seat.name) for seat in question.seats]
        if labels.count(right) == 1 and None not in labels:
            await _go_on(study, question, right, opened, backends)
    return study


async def _go_on(
    study: Study, question: Case, right: str, opened: Transcript, backends: dict[str, Simulated]
) -> None:
    seat = Seat("judge", "Judge", "judge", "")

    async def judged(name: str, transcript: Transcript, sees: Sees) -> None:
        asked = judge(question, transcript, seat=seat, answer_format=question.answer_format, sees=sees)
        decision = await play(asked, draw(question.seed, name), backends)
        study.judged.setdefault(name, []).append(decision.reading.label == right)

    for name, (protocol, turns, swap) in PLAYED.items():
        case = replace(question, stance_swap=swap)
        dialogue = PROTOCOLS[protocol](case, turns=turns, transcript=opened.opening())
        debate = await play(dialogue, draw(question.seed, f"{name} debate"), backends)
        study.debates.setdefault(name, []).append((right, debate))
        await judged(name, debate, "positions" if name == "disagreement_resolution" else "transcript")
    await judged("nothing", opened, "nothing")
