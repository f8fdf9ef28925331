"""Panels to try protocols on: cases built as a run builds them, replies that are a function of the ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from protocols.answer_format import LETTERS, AnswerFormat, FormatName, PartName
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Reply
from protocols.hearing import Hears, heard
from protocols.openings import described
from protocols.play import Play
from protocols.prompts import Prompts
from protocols.record import Record
from protocols.sections import Place, prompt_hash
from protocols.system_prompt import system_prompt
from protocols.transcript import Transcript

MODELS = ("alpha", "beta")  # fewer than seats: the same model sits twice
BLOCKS = {name: {"backend": "scripted", "model": name, "revision": None, "base_url": None} for name in MODELS}
TITLE = "I took back the ladder I had lent."
TEXT = (
    "In May I lent my neighbour a ladder worth $90. In August I needed it, found it in his open shed and"
    " carried it home without a word. He had planned to paint that day. Was I wrong not to ask?"
)
QUESTION = (
    "A bat and a ball cost $110 together. The bat costs $100 more than the ball. What does the ball cost?"
)
OPTIONS = ("$10", "$5", "$15", "$100")

NOBODY_PLANTED: Mapping[int, str | None] = MappingProxyType({})

Replier = Callable[[Ask], Reply]
Order = Callable[[list[int]], list[int]]


def case(
    protocol: str = "synchronous",
    n: int = 3,
    *,
    steering: str = "default",
    form: FormatName = "text",
    rounds: int = 4,
    title: str = TITLE,
    text: str = TEXT,
    options: tuple[str, ...] = (),
    prompts: Prompts = Prompts(),
    earlier: str = "",
    openings: tuple[tuple[str, str], ...] = (),
    stance_swap: bool = False,
    seed: int = 0,
    hears: Hears = "full",
    exposure: str = "all",
    inquired: bool = False,
    planted: Mapping[int, str | None] = NOBODY_PLANTED,
) -> Case:
    """One dilemma, or question where there are `options`, before `n` seats, all steered alike.

    Their system prompts are complete; `protocol`, `exposure` and `inquired` are as in `Place`, `hears` as in
    `View`. Seats in `planted` are confederates for the last label, with a script or without.
    """
    answer_format = AnswerFormat(form)
    if options:
        answer_format = AnswerFormat(form, "answer", LETTERS[: len(options)], options)
    labels = tuple(f"Agent {position}" for position in range(1, n + 1))
    last = answer_format.labels[-1]
    places = [
        Place(
            protocol,
            labels,
            position,
            rounds,
            earlier,
            hears=tuple(sorted(whom)) if len(whom) < n - 1 else None,
            exposure=exposure,
            planted=described(answer_format, last) if position in planted else "",
            inquired=inquired,
        )
        for position, whom in enumerate(heard(hears, n), start=1)
    ]
    seats = tuple(
        Seat(
            name=f"seat {place.position}",
            label=place.label,
            model=MODELS[place.position % len(MODELS)],
            system=system_prompt(prompts, title, text, place, steering, answer_format),
            steering=steering,
            prompt_hash=prompt_hash(prompts, place, steering, answer_format.field, answer_format.name),
            planted=last if place.planted else "",
            script=planted.get(place.position),
        )
        for place in places
    )
    return Case("ladder", text, seats, title, answer_format, prompts, seed, openings, stance_swap)


def question(protocol: str = "debate", n: int = 2, **how: Any) -> Case:
    """One question with four options before `n` seats, in an oversight study steered towards nothing."""
    asked = {"title": "", "text": QUESTION, "options": OPTIONS, "steering": "none"}
    return case(protocol, n, **{**asked, **how})


def orderly(ask: Ask) -> Reply:
    """Dissent in rounds 1 and 2, consensus in round 3, each text unlike any other.

    All replies are well formed but for two: seat 4 is silent in round 1, seat 5 undecided in round 2.
    Where positions are stated, what is agreed on is the position of the second seat.
    """
    if (ask.position, ask.round) == (4, 1):
        return Reply("")
    if (ask.position, ask.round) == (5, 2):
        return Reply("I weigh both sides and come to no end.")
    form, labels = ask.answer_format, ask.answer_format.labels
    wanted = 0 if ask.round == 3 else (1, 0, 2)[(ask.position + ask.round) % 3]
    label = labels[wanted % len(labels)] if labels else ""
    parts: dict[PartName, str] = {"reasoning": f"What is secret to {ask.seat} in round {ask.round}."}
    if "action" in form.parts:
        label, parts = _resolved(ask)
    return Reply(form.write(label, f"Reason of {ask.seat} in round {ask.round}.", parts))


def _resolved(ask: Ask) -> tuple[str, dict[PartName, str]]:
    held = {seen.seat: seen.label for seen in ask.facts.seen} | {ask.seat: ask.facts.own_last}
    label = held["seat 2"] if ask.round >= 3 or held[ask.seat] is None else held[ask.seat]
    return label or ask.answer_format.labels[0], {
        "crux": f"Crux of {ask.seat} in round {ask.round}.",
        "concession": f"Concession of {ask.seat} in round {ask.round}.",
        "confidence": "medium",
        "action": "retain" if label == held[ask.seat] else "adopt",
    }


@dataclass(frozen=True)
class Played:
    """A finished play: its questions in order, the record of each, and what came out."""

    asks: tuple[Ask, ...]
    records: tuple[Record, ...]
    outcome: Transcript


def play_out(play: Play[Transcript], reply_to: Replier = orderly, order: Order = list) -> Played:
    """Plays to the end; `order` rearranges the slots of each step, all of which are answered."""
    asks: list[Ask] = []
    records: list[Record] = []
    while not play.done:
        index, step = play.index, play.step
        asks.extend(step)
        for slot in order(play.open):
            reply = reply_to(step[slot])
            records.append(Record.of(index, slot, step[slot], BLOCKS[step[slot].model], reply))
            play.answer(slot, reply)
    return Played(tuple(asks), tuple(records), play.outcome)
