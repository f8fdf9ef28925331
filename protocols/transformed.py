"""Dialogues whose turns go through something before they are said: see `best_of_n` and `critiqued`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from protocols.dialogue import Ask, Dialogue, Replies, Reply, Sampling, Step
from protocols.position import argued
from protocols.reading import read
from protocols.reading.argument import read_argument
from protocols.reading.parts import read_parts
from protocols.transcript import NO_REPLY

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
    """What of a reply others would be shown, without its label; all of it where that cannot be read."""
    form = ask.answer_format
    if form.field == "argument":
        text = read_argument(reply.text, reply.finish_reason, form.labels, form.option_texts).argument
    elif form.parts:
        text = argued(ask, reply, read_parts(reply.text, form.parts))
    else:
        text = read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts).explanation
    return text.strip() or NO_REPLY
