"""`planted`: seats that give the label which the plan drew for them, whatever they hear."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Dialogue, FinishReason, Replies, Reply, Step
from protocols.reading import Reading, read
from protocols.transcript import Stated, Transcript, Turn
from protocols.transformed import transformed

Place = tuple[str, int]
"""The seat and the round of a turn."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What a confederate's turn was before the planted label was put to it."""

    reading: Reading
    left: bool


def planted(dialogue: Dialogue[Transcript], case: Case) -> Dialogue[Transcript]:
    """The dialogue in which every turn of a confederate of the case is for the label it is `planted`.

    One with a `script` is asked nothing: its turn is the label and the script. Another is asked as any seat
    is, and explains the label itself; where it gives another that is a violation, and others are shown the
    planted one with the explanation that it gave. A turn that cannot be read stays unreadable, and others are
    shown no reply. The stance of a confederate's turns is its label; other seats have none.
    """
    confederates = {seat.name: seat for seat in case.seats if seat.planted}
    said: dict[Place, _Said] = {}

    def answered(step: Step) -> Dialogue[Replies]:
        scripted = {
            at: Reply(ask.answer_format.write(seat.planted, seat.script))
            for at, ask in enumerate(step)
            if (seat := confederates.get(ask.seat)) and seat.script is not None
        }
        put = tuple(_put(ask, confederates) for at, ask in enumerate(step) if at not in scripted)
        replies = iter((yield put) if put else ())
        settled = [scripted[at] if at in scripted else next(replies) for at in range(len(step))]
        return tuple(_kept(ask, reply, confederates, said) for ask, reply in zip(step, settled, strict=True))

    transcript = yield from transformed(dialogue, answered)
    steps = tuple(tuple(_marked(turn, confederates, said) for turn in step) for step in transcript.steps)
    return replace(transcript, steps=steps)


def _put(ask: Ask, confederates: Mapping[str, Seat]) -> Ask:
    if ask.seat not in confederates:
        return ask
    return replace(ask, facts=replace(ask.facts, stance=confederates[ask.seat].planted))


def _kept(ask: Ask, reply: Reply, confederates: Mapping[str, Seat], said: dict[Place, _Said]) -> Reply:
    """The reply as the dialogue is to take it; what a confederate said otherwise is noted in `said`."""
    if ask.seat not in confederates:
        return reply
    form, label = ask.answer_format, confederates[ask.seat].planted
    reading = read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts)
    said[ask.seat, ask.round] = _Said(reading, reading.label not in (None, label))
    if reading.label == label:
        return reply
    stop: FinishReason = "stop"
    text = "" if reading.label is None else form.write(label, reading.explanation)
    return replace(reply, text=text, finish_reason=stop)


def _marked(turn: Turn, confederates: Mapping[str, Seat], said: Mapping[Place, _Said]) -> Turn:
    own = said.get((turn.seat, turn.round))
    if own is None:
        return turn
    stance = confederates[turn.seat].planted
    return replace(
        turn,
        reading=replace(turn.reading, status=own.reading.status),
        stated=Stated(stance, violation="left_stance" if own.left else None),
    )
