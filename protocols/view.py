"""What a seat is shown: one transcript, one view per seat.

Own turns are assistant messages; what others said stands in user messages, labelled by seat; every
instruction stays where it was given, so a seat's messages only ever grow at the end. No text is shown
twice, unless the history is that of the published study, and consecutive messages of one role are merged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Message, Role
from protocols.exposure import POINTS, questioned, seen, told
from protocols.hearing import Hears, heard
from protocols.transcript import Question, Transcript, Turn

Part = tuple[Role, str]
Instruct = Callable[[int, bool], str]
"""The instruction for a turn in a round (from 1) to a seat that has heard others, or nobody, before."""

HISTORIES = ("clean", "paper")


@dataclass(frozen=True, slots=True)
class View:
    """What seats are shown of each other: whom each `hears`, what of their turns (`exposure`), and how.

    By the `history`, one of `HISTORIES`, every turn stands there once, or before each own turn stands all of
    the round before, one's own text included, and what was said so far in this one.
    """

    hears: Hears = "full"
    exposure: str = "all"
    history: str = "clean"

    def heard_by(self, case: Case, seat: Seat) -> frozenset[str]:
        """The names of the seats that a seat hears."""
        others = [other for other in case.seats if other.name != seat.name]
        if self.hears != "full":
            numbers = heard(self.hears, len(case.seats))[seat.number - 1]
            others = [other for other in others if other.number in numbers]
        return frozenset(other.name for other in others)


FULL = View()


def ask_turn(
    case: Case,
    transcript: Transcript,
    position: int,
    round: int,
    rounds: int | None,
    view: View = FULL,
) -> Ask:
    """The question to the seat at `position` (from 1) for its turn in `round`, after `transcript`.

    `rounds` is the most that the debate may take; None says that the seat answers once and alone.
    """
    seat = case.seats[position - 1]
    hears = view.heard_by(case, seat)
    others = [turn for turn in transcript.turns if turn.seat in hears]

    def instruct(round: int, heard: bool) -> str:
        return _instruction(case, round, rounds, heard, view)

    if view.history == "paper":
        past = _repeated(case, transcript.steps, seat, instruct, hears, round)
    else:
        past = history(case, transcript.steps, seat, instruct, hears, exposure=view.exposure)
    own = transcript.own(seat.name)
    return Ask(
        seat=seat.name,
        model=seat.model,
        messages=merged([*past, ("user", instruct(round, bool(others)))]),
        sampling=seat.sampling,
        answer_format=case.answer_format,
        round=round,
        position=position,
        prompt_hash=seat.prompt_hash,
        facts=Facts(case.id, round, own[-1].label if own else None, seen(others, view.exposure)),
    )


def history(
    case: Case,
    steps: Iterable[Sequence[Turn]],
    seat: Seat,
    instruct: Instruct,
    hears: Collection[str],
    unheard: int = 0,
    exposure: str = "all",
    questions: Sequence[Question] = (),
) -> Iterator[Part]:
    """The system prompt of a seat and all that was said by it, by the seats that it `hears`, and to all.

    What others said is labelled and exposed as in `told`; a question of the judge stands after its round.
    """
    yield "system", seat.system
    listening = False
    others: list[Turn] = []
    asked = list(questions)

    def heard_since() -> Iterator[Part]:
        if others:
            yield "user", told(case, others, unheard, exposure)
            others.clear()

    for step in steps:
        while asked and asked[0].round < step[0].round:
            yield from heard_since()
            yield "user", questioned(case, asked.pop(0), unheard)
        for turn in step:
            if turn.seat == seat.name:
                yield from heard_since()
                yield "user", instruct(turn.round, listening)
                yield "assistant", turn.shown
        others += [turn for turn in step if turn.seat in hears]
        listening = listening or bool(others)
    yield from heard_since()
    for question in asked:
        yield "user", questioned(case, question, unheard)


def _repeated(
    case: Case,
    steps: Sequence[Sequence[Turn]],
    seat: Seat,
    instruct: Instruct,
    hears: Collection[str],
    round: int,
) -> Iterator[Part]:
    """As `history`, but as the published study had it: before each own turn the round before is repeated."""
    told_to = {seat.name, *hears}

    def recalled(round: int, before: int) -> Iterator[Part]:
        turns = [turn for step in steps[:before] for turn in step if turn.round in (round - 1, round)]
        if said := [turn for turn in turns if turn.seat in told_to]:
            yield "user", told(case, said)

    yield "system", seat.system
    for at, step in enumerate(steps):
        for turn in step:
            if turn.seat == seat.name:
                yield from recalled(turn.round, at)
                heard = any(each.seat in hears for said in steps[:at] for each in said)
                yield "user", instruct(turn.round, heard)
                yield "assistant", turn.shown
    yield from recalled(round, len(steps))


def merged(parts: Iterable[Part]) -> tuple[Message, ...]:
    """Chat messages in which no two of one role follow each other."""
    messages: list[Message] = []
    for role, content in parts:
        if messages and messages[-1].role == role:
            messages[-1] = Message(role, f"{messages[-1].content}\n\n{content}")
        else:
            messages.append(Message(role, content))
    return tuple(messages)


def _instruction(case: Case, round: int, rounds: int | None, heard: bool, view: View) -> str:
    if rounds is None:
        return case.prompts.fill(case.prompts.worded("turn_alone", case.answer_format.field))
    answers = heard and view.exposure in POINTS  # whether there are points to be answered
    first, later = ("turn_heard", "turn_later") if answers else ("turn_first", "turn_again")
    section = first if round == 1 else later
    worded = case.prompts.worded(section, case.answer_format.field)
    return case.prompts.fill(worded, round=round, rounds=rounds)
