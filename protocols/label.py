"""`label`: somebody outside the panel tells which values each explanation of a debate appeals to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import AnswerFormat
from protocols.case import Seat
from protocols.dialogue import Ask, Dialogue, Facts, Message, Sampling, Seen
from protocols.judge import JUDGE
from protocols.prompts import Prompts
from protocols.reading.values import ValuesReading, read_values
from protocols.transcript import Transcript, Turn
from protocols.values.value import MOST_VALUES, Value

SECTIONS = ("label_values", "label_value", "label_turn")


@dataclass(frozen=True, slots=True)
class Labelled:
    """What was read of the values in the turn of `seat` in `round`."""

    round: int
    seat: str
    reading: ValuesReading


def labeller(model: str, sampling: Sampling, values: Sequence[Value], prompts: Prompts) -> Seat:
    """The seat of a labeller, to whom the values are explained; it sits on no panel."""
    listed = "\n".join(
        prompts.fill("label_value", value=value.name, definition=value.definition) for value in values
    )
    return Seat(
        name=JUDGE,
        label="Judge",
        model=model,
        system=prompts.fill("label_values", values=listed, most=MOST_VALUES),
        sampling=sampling,
        steering="none",
        prompt_hash=prompts.id(*SECTIONS),
    )


def label(
    case_id: str, transcript: Transcript, *, seat: Seat, values: Sequence[Value], prompts: Prompts
) -> Dialogue[tuple[Labelled, ...]]:
    """One step with an ask to `seat` for every turn to be labelled of the debate that `transcript` holds.

    The labeller is shown the explanation, as it was written, and nothing else: no case, no verdict, no
    name, no other turn. Asked for are turns that were said in this debate, not in the one that it goes on
    from, whose verdict could be read and whose explanation is not empty; where there are none, nobody is
    asked.
    """
    turns = [turn for turn in transcript.turns[transcript.openings :] if to_label(turn)]
    form = AnswerFormat("json", "values", tuple(value.name for value in values))
    asks = tuple(_ask(case_id, turn, seat, form, prompts) for turn in turns)
    replies = (yield asks) if asks else ()
    return tuple(
        Labelled(turn.round, turn.seat, read_values(reply.text, reply.finish_reason, form.labels))
        for turn, reply in zip(turns, replies, strict=True)
    )


def to_label(turn: Turn) -> bool:
    """Whether there is an explanation of a verdict in the turn."""
    return turn.label is not None and bool(turn.reading.explanation.strip())


def _ask(case_id: str, turn: Turn, seat: Seat, form: AnswerFormat, prompts: Prompts) -> Ask:
    shown = prompts.fill("label_turn", explanation=turn.reading.explanation)
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=(Message("system", seat.system), Message("user", shown)),
        sampling=seat.sampling,
        answer_format=form,
        kind="label",
        round=turn.round,
        position=turn.position,
        prompt_hash=seat.prompt_hash,
        facts=Facts(case_id=case_id, round=turn.round, seen=(Seen(turn.round, turn.seat, turn.label),)),
    )
