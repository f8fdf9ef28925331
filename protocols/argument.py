"""A turn that argues for a stance: how it is asked for, and how the reply is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from protocols.answer_format import AnswerFormat, PartName
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Reply
from protocols.exposure import seen
from protocols.hearing import NOBODY
from protocols.openings import described, form_section, instruct_opening
from protocols.reading import Reading
from protocols.reading.argument import ArgumentReading, read_argument
from protocols.reading.parts import read_parts
from protocols.transcript import Stated, Transcript, Turn, made
from protocols.view import View, history, merged

PARTS: tuple[PartName, ...] = ("reasoning", "argument")
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Arguing:
    """How a case is argued: for which `stances` (by seat), in how many turns, in arguments of how many words.

    `words` 0 is without a limit. The turns come after `before` rounds; by `view` seats hear each other.
    """

    case: Case
    stances: Mapping[str, str]
    turns: int
    words: int
    before: int
    view: View

    def ask(self, transcript: Transcript, seat: Seat, turn: int) -> Ask:
        """The question to a seat for its `turn`th argument, from 1.

        Openings are not heard; a seat that hears nobody sees its own, where that is for its stance.
        """
        case, stance = self.case, self.stances[seat.name]
        hears = self.view.heard_by(case, seat)
        others = [each for step in transcript.heard for each in step if each.seat in hears]
        alone = self.view.hears == NOBODY
        opening = self._opening(transcript, seat, stance) if alone else ()

        def instruct(round: int, heard: bool) -> str:
            return self._instruction(round - self.before, stance, heard)

        said = [*opening, *transcript.heard]
        past = history(case, said, seat, instruct, hears, self.before, questions=transcript.questions)
        return Ask(
            seat=seat.name,
            model=seat.model,
            messages=merged([*past, ("user", self._instruction(turn, stance, bool(others)))]),
            sampling=seat.sampling,
            answer_format=replace(case.answer_format, field="argument", parts=PARTS),
            round=self.before + turn,
            position=case.seats.index(seat) + 1,
            prompt_hash=seat.prompt_hash,
            facts=Facts(case.id, self.before + turn, stance, seen(others), stance),
        )

    def turn(self, ask: Ask, reply: Reply) -> Turn:
        """The turn that a reply makes: its label is the stance where there is an argument."""
        form = ask.answer_format
        read, said = argued(form, reply)
        stance = self.stances[ask.seat]
        argument, over = cut(said, self.words)
        left = read.stated is not None and read.stated != stance
        readable = read.status in ("ok", "repaired")
        reading = Reading(read.status, stance if readable else None, argument, read.reasoning)
        stated = Stated(stance, violation="left_stance" if left else "over_limit" if over else None)
        return made(replace(ask, answer_format=self.case.answer_format), reply, reading, stated)

    def _opening(self, transcript: Transcript, seat: Seat, stance: str) -> tuple[tuple[Turn, ...], ...]:
        own = [
            turn for step in transcript.steps[: transcript.unheard] for turn in step if turn.seat == seat.name
        ]
        return ((own[-1],),) if own and own[-1].label == stance else ()

    def _instruction(self, turn: int, stance: str, heard: bool) -> str:
        if turn < 1:
            return instruct_opening(self.case)
        section = "argue_heard" if heard else "argue_first" if turn == 1 else "argue_later"
        told = self.case.prompts.fill(
            section,
            turn=turn,
            turns=self.turns,
            asked=self.case.answer_format.field,
            stance=described(self.case.answer_format, stance),
        )
        return f"{told}\n\n{form_section(self.case, 'argument', self.words)}"


def argued(form: AnswerFormat, reply: Reply) -> tuple[ArgumentReading, str]:
    """How an argument reads, and what of the reply is for others: where it cannot be read, as written."""
    read = read_argument(reply.text, reply.finish_reason, form.labels, form.option_texts)
    return read, read.argument or read_parts(reply.text, PARTS).rest


def cut(argument: str, words: int) -> tuple[str, bool]:
    """The argument up to so many words, 0 for all of them, and whether it had more."""
    ends = [match.end() for match in islice(WORD.finditer(argument), words + 1)] if words else []
    return (argument[: ends[words - 1]], True) if len(ends) > words > 0 else (argument, False)
