"""Panels for tests: cases built as a run builds them, and replies that are a pure function of the ask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from protocols import PROTOCOLS
from protocols.answer_format import AnswerFormat, FormatName
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Dialogue, FinishReason, Reply
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
    prompts: Prompts = Prompts(),
    earlier: str = "",
) -> Case:
    """One dilemma before `n` seats, all steered alike, their system prompts complete."""
    answer_format = AnswerFormat(form)
    labels = tuple(f"Agent {position}" for position in range(1, n + 1))
    places = [Place(protocol, labels, position, rounds, earlier) for position in range(1, n + 1)]
    seats = tuple(
        Seat(
            name=f"seat {place.position}",
            label=place.label,
            model=MODELS[place.position % len(MODELS)],
            system=system_prompt(prompts, title, text, place, steering, answer_format),
            steering=steering,
            prompt_hash=prompt_hash(prompts, place, steering, answer_format.field, answer_format.name),
        )
        for place in places
    )
    return Case("ladder", text, seats, title, answer_format, prompts)


def dialogue(protocol: str, case: Case, **options: Any) -> Dialogue[Transcript]:
    """The dialogue of `protocol`, given those `options` that it has."""
    structure = PROTOCOLS[protocol]
    options = {"rounds": 4, **options}
    return structure(
        case, **{name: options[name] for name in options if name in signature(structure).parameters}
    )


def orderly(ask: Ask) -> Reply:
    """Dissent in rounds 1 and 2, consensus in round 3, each text unlike any other.

    All replies are well formed but for two: seat 4 is silent in round 1, seat 5 undecided in round 2.
    """
    if (ask.position, ask.round) == (4, 1):
        return Reply("")
    if (ask.position, ask.round) == (5, 2):
        return Reply("I weigh both sides and come to no end.")
    label = "NTA" if ask.round == 3 else ("YTA", "NTA", "ESH")[(ask.position + ask.round) % 3]
    return Reply(ask.answer_format.write(label, f"Reason of {ask.seat} in round {ask.round}."))


RAGGED: tuple[tuple[str, FinishReason], ...] = (
    ("", "stop"),
    ("I weigh {mark} and come to no end.", "stop"),
    ("My current verdict: NTA\n\n{mark} decides it.", "stop"),
    ("As an AI I cannot judge people. {mark}.", "stop"),
    ("<think>secret {mark}</think>My current verdict: YTA\n\n{mark} decides it.", "stop"),
    ("I set out from {mark} and then", "length"),
    ("My current verdict: NTA or YTA\n\n{mark} is unclear.", "stop"),
    ("<think>secret {mark} without end", "length"),
    ("", "content_filter"),
    ("My current verdict: NTA", "stop"),
)
"""Every way in which a reply can be hard to read, beside plain ones; {mark} tells turns apart."""


def mark(seat: str, round: int) -> str:
    """A word that stands in the turn of this seat and round, and in no other text."""
    return f"point-{seat.removeprefix('seat ')}-{round}"


def shaped(number: int, seat: str, round: int) -> Reply:
    """The reply of one of the shapes of `RAGGED` in this turn."""
    text, finish_reason = RAGGED[number % len(RAGGED)]
    return Reply(text.format(mark=mark(seat, round)), finish_reason, reasoning=f"secret of {seat}")


def ragged(ask: Ask) -> Reply:
    """Every shape in turn; no panel of any size agrees before the third round."""
    return shaped(ask.position + 3 * (ask.round - 1), ask.seat, ask.round)


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


def played(protocol: str, case: Case, reply_to: Replier = orderly, **options: Any) -> Played:
    """`protocol` played on `case` from beginning to end."""
    return play_out(Play(dialogue(protocol, case, **options), seed=7), reply_to)
