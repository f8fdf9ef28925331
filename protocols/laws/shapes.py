"""Replies of every shape, which are a pure function of the ask."""

from __future__ import annotations

from protocols.answer_format import LETTERS, PHRASES
from protocols.dialogue import Ask, FinishReason, Reply
from protocols.laws.panels import orderly

Shape = tuple[str, FinishReason]
RAGGED: tuple[Shape, ...] = (
    ("", "stop"),
    ("I weigh {mark} and come to no end.", "stop"),
    ("{phrase}: {first}\n\n{mark} decides it.", "stop"),
    ("As an AI I cannot judge people. {mark}.", "stop"),
    ("<think>secret {mark}</think>{phrase}: {second}\n\n{mark} decides it.", "stop"),
    ("I set out from {mark} and then", "length"),
    ("{phrase}: {first} or {second}\n\n{mark} is unclear.", "stop"),
    ("<think>secret {mark} without end", "length"),
    ("", "content_filter"),
    ("{phrase}: {first}", "stop"),
)
"""Every way in which a reply can be hard to read, beside plain ones; {mark} tells turns apart."""

ARGUED: tuple[Shape, ...] = (
    ("Reasoning: secret {mark}\n\nArgument: {mark} holds, and so do four or five other things.", "stop"),
    ('{{"reasoning": "secret {mark}", "argument": "{mark} holds."}}', "stop"),
    ("Reasoning: secret {mark} goes on and", "length"),
    ("Reasoning: secret {mark}\n\nArgument: {mark} holds and", "length"),
    ('{{"reasoning": "secret {mark} goes', "length"),
    ("Reasoning: secret {mark}\n\nAs an AI I cannot argue for that. {mark}.", "stop"),
)
"""Further ways in which an argument may come."""

STATED: tuple[Shape, ...] = (
    ("Crux: it\nConfidence: high\nAction: retain\n{phrase}: {first}\nArgument: {mark} holds.", "stop"),
    ("Crux: it\nConfidence: 0.9\nAction: adopt\n{phrase}: {second}\nArgument: {mark} holds.", "stop"),
    ("Action: retain\n{phrase}: {second}\nArgument: {mark} holds.", "stop"),
    ("Action: adopt\n{phrase}: {first}\nArgument: {mark} holds.", "stop"),
    ("Crux: it\nAction: adopt\n{phrase}: {last}\nArgument: {mark} holds.", "stop"),
    ('{{"crux": "it", "action": "adopt", "{field}": "{first}", "argument": "{mark} holds."}}', "stop"),
)
"""Further ways in which a position may come; {last} is a label that nobody opens with."""


def mark(seat: str, round: int) -> str:
    """A word that stands in the turn of this seat and round, and in no other text."""
    return f"point-{seat.removeprefix('seat ')}-{round}"


def shaped(number: int, ask: Ask) -> Reply:
    """The reply of one of the shapes that there are for such a turn."""
    form, labels = ask.answer_format, ask.answer_format.labels or LETTERS
    more = ARGUED if form.field == "argument" else STATED if form.parts else ()
    text, finish_reason = [*more, *RAGGED][number % (len(more) + len(RAGGED))]
    filled = text.format(
        mark=mark(ask.seat, ask.round),
        field=form.field,
        phrase=PHRASES.get(form.field, "Answer"),
        first=labels[0],
        second=labels[1],
        last=labels[-1],
    )
    return Reply(filled, finish_reason, reasoning=f"secret of {ask.seat}")


def ragged(ask: Ask) -> Reply:
    """Every shape in turn; no panel of any size agrees before the third round."""
    return shaped(ask.position + 3 * (ask.round - 1), ask)


def disputed(ask: Ask) -> Reply:
    """The openings of `orderly`, which differ, then every shape in turn."""
    return orderly(ask) if ask.round == 1 else ragged(ask)
