"""What a seat is shown: one transcript, one view per seat.

Own turns are assistant messages; what others said stands in one user message per step, labelled by
seat; every instruction stays where it was given, so a seat's messages only ever grow at the end. No
text is shown twice, and consecutive messages of one role are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Message, Role, Seen
from protocols.transcript import Transcript, Turn

Part = tuple[Role, str]


def ask_turn(case: Case, transcript: Transcript, position: int, round: int, rounds: int | None) -> Ask:
    """The question to the seat at `position` (from 1) for its turn in `round`, after `transcript`.

    `rounds` is the most that the debate may take; None says that the seat answers once and alone.
    """
    seat = case.seats[position - 1]
    others = tuple(turn for turn in transcript.turns if turn.seat != seat.name)
    instruction = _instruction(case, round, rounds, bool(others))
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=_merged([*_history(case, transcript, seat, rounds), ("user", instruction)]),
        sampling=seat.sampling,
        answer_format=case.answer_format,
        round=round,
        position=position,
        prompt_hash=seat.prompt_hash,
        facts=Facts(
            case_id=case.id,
            round=round,
            own_last=next((turn.label for turn in reversed(transcript.own(seat.name))), None),
            seen=tuple(Seen(turn.round, turn.seat, turn.label) for turn in others),
        ),
    )


def _history(case: Case, transcript: Transcript, seat: Seat, rounds: int | None) -> Iterator[Part]:
    yield "system", seat.system
    heard = False
    for step in transcript.steps:
        for turn in step:
            if turn.seat == seat.name:
                yield "user", _instruction(case, turn.round, rounds, heard)
                yield "assistant", turn.shown
        others = [turn for turn in step if turn.seat != seat.name]
        if others:
            yield "user", "\n\n".join(_heard(case, turn) for turn in others)
            heard = True


def _heard(case: Case, turn: Turn) -> str:
    label = next(seat.label for seat in case.seats if seat.name == turn.seat)
    return case.prompts.fill("heard", label=label, round=turn.round, shown=turn.shown)


def _instruction(case: Case, round: int, rounds: int | None, heard: bool) -> str:
    if rounds is None:
        return case.prompts.fill("turn_alone")
    section = "turn_first" if not heard else "turn_heard" if round == 1 else "turn_later"
    return case.prompts.fill(section, round=round, rounds=rounds)


def _merged(parts: Iterable[Part]) -> tuple[Message, ...]:
    messages: list[Message] = []
    for role, content in parts:
        if messages and messages[-1].role == role:
            messages[-1] = Message(role, f"{messages[-1].content}\n\n{content}")
        else:
            messages.append(Message(role, content))
    return tuple(messages)
