"""Dialogues whose turns go through something before they are said: see `best_of_n` and `critiqued`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from protocols.argument import argued
from protocols.dialogue import Ask, Dialogue, Replies, Reply, Sampling, Step
from protocols.position import read_position
from protocols.transcript import NO_REPLY, made, turn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assistant:
    """A model that sits on no panel, and how its replies are drawn."""

    model: str
    sampling: Sampling


def transformed(dialogue: Dialogue[T], answered: Callable[[Step], Dialogue[Replies]]) -> Dialogue[T]:
    """The dialogue, each of its steps `answered` by a dialogue of its own."""
    replies: Replies | None = None
    while True:
        try:
            step = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration as end:
            outcome: T = end.value
            return outcome
        replies = yield from answered(step)


def said(ask: Ask, reply: Reply) -> str:
    """What of a reply others would be shown."""
    form = ask.answer_format
    if form.field == "argument":
        return argued(form, reply)[1].strip() or NO_REPLY
    if form.parts:
        return made(ask, reply, read_position(form, reply)[0]).shown
    return turn(ask, reply).shown
