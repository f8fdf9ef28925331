"""What a seat is shown: one transcript, one view per seat.

Own turns are assistant messages; what others said stands in one user message per step, labelled by
seat; every instruction stays where it was given, so a seat's messages only ever grow at the end. No
text is shown twice, and consecutive messages of one role are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Message, Role, Seen
from protocols.transcript import Transcript, Turn

Part = tuple[Role, str]
Instruct = Callable[[int, bool], str]
"""The instruction for a turn in a round (from 1) to a seat that has heard others, or nobody, before."""


def ask_turn(case: Case, transcript: Transcript, position: int, round: int, rounds: int | None) -> Ask:
    """The question to the seat at `position` (from 1) for its turn in `round`, after `transcript`.

    `rounds` is the most that the debate may take; None says that the seat answers once and alone.
    """
    seat = case.seats[position - 1]
    others = tuple(turn for turn in transcript.turns if turn.seat != seat.name)

    def instruct(round: int, heard: bool) -> str:
        return _instruction(case, round, rounds, heard)

    own = transcript.own(seat.name)
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=merged(
            [*history(case, transcript.steps, seat, instruct), ("user", instruct(round, bool(others)))]
        ),
        sampling=seat.sampling,
        answer_format=case.answer_format,
        round=round,
        position=position,
        prompt_hash=seat.prompt_hash,
        facts=Facts(case.id, round, own[-1].label if own else None, seen(others)),
    )


def history(
    case: Case,
    steps: Iterable[Sequence[Turn]],
    seat: Seat,
    instruct: Instruct,
    hears: bool = True,
    unheard: int = 0,
) -> Iterator[Part]:
    """The system prompt of a seat and all that was said to it and by it; nothing by others unless it `hears`.

    What others said is labelled as in `told`.
    """
    yield "system", seat.system
    heard = False
    for step in steps:
        for turn in step:
            if turn.seat == seat.name:
                yield "user", instruct(turn.round, heard)
                yield "assistant", turn.shown
        others = [turn for turn in step if turn.seat != seat.name and hears]
        if others:
            yield "user", told(case, others, unheard)
            heard = True


def told(case: Case, turns: Iterable[Turn], unheard: int = 0) -> str:
    """Turns as others hear of them, labelled by seat and by round after the `unheard` rounds."""
    labels = {seat.name: seat.label for seat in case.seats}

    def heard(turn: Turn) -> str:
        section = "heard" if turn.round > unheard else "heard_before"
        round = turn.round - unheard
        return case.prompts.fill(section, label=labels[turn.seat], round=round, shown=turn.shown)

    return "\n\n".join(map(heard, turns))


def seen(turns: Iterable[Turn]) -> tuple[Seen, ...]:
    """Turns as simulated agents are told of them."""
    return tuple(Seen(turn.round, turn.seat, turn.label) for turn in turns)


def merged(parts: Iterable[Part]) -> tuple[Message, ...]:
    """Chat messages in which no two of one role follow each other."""
    messages: list[Message] = []
    for role, content in parts:
        if messages and messages[-1].role == role:
            messages[-1] = Message(role, f"{messages[-1].content}\n\n{content}")
        else:
            messages.append(Message(role, content))
    return tuple(messages)


def _instruction(case: Case, round: int, rounds: int | None, heard: bool) -> str:
    if rounds is None:
        section = "turn_alone"
    else:
        section = "turn_first" if not heard else "turn_heard" if round == 1 else "turn_later"
    values = {} if rounds is None else {"round": round, "rounds": rounds}
    return case.prompts.fill(case.prompts.worded(section, case.answer_format.field), **values)
