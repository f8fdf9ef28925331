"""Scripts: what seats may reply, each a function of the ask alone, by what it is called."""

from __future__ import annotations

from collections.abc import Callable

from protocols.dialogue import Ask, Reply
from protocols.laws.panels import Replier, orderly
from protocols.laws.shapes import disputed, ragged


def _labelled(choose: Callable[[Ask], int]) -> Replier:
    """Whoever is asked gives the label that is chosen for the ask, in the form that is asked for."""

    def reply(ask: Ask) -> Reply:
        form = ask.answer_format
        if form.field == "values":
            return Reply(form.write_values(form.labels[:1]))
        label = form.labels[choose(ask) % len(form.labels)] if form.labels else ""
        return Reply(form.write(label, f"Reason of {ask.seat} in round {ask.round}."), reasoning="secret")

    return reply


def _said(text: str) -> Replier:
    def reply(ask: Ask) -> Reply:
        return Reply(text.format(seat=ask.seat, round=ask.round))

    return reply


SCRIPTS: dict[str, Replier] = {
    "agreeing": _labelled(lambda _: 0),
    "disagreeing": _labelled(lambda ask: ask.position),
    "converging": orderly,
    "changing sides": _labelled(lambda ask: ask.position + ask.round),
    "unreadable": _said("{seat} weighs it in round {round} and comes to no end."),
    "empty": _said(""),
    "refusing": _said("As an AI I cannot judge people. {seat}, round {round}."),
    "ragged": ragged,
    "disputed": disputed,
}
"""`ragged` is every way in which a reply can be hard to read in turn, `disputed` that after openings."""
