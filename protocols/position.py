"""A turn in which a seat states where it stands in a disagreement: how it is asked for, and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from protocols.answer_format import AnswerFormat, PartName
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Facts, Reply
from protocols.exposure import seen
from protocols.openings import form_section, instruct_opening
from protocols.reading import Reading, read
from protocols.reading.parts import Parts, read_parts, stated_action, stated_confidence
from protocols.transcript import Action, Stated, Transcript, Turn, made
from protocols.view import FULL, Part, history, merged

PARTS: tuple[PartName, ...] = ("crux", "concession", "confidence", "action", "argument")


@dataclass(frozen=True, slots=True)
class Resolving:
    """How a disagreement on a case is worked on: in how many `turns`, after how many rounds `before`."""

    case: Case
    turns: int
    before: int
    history: str

    def ask(self, transcript: Transcript, seat: Seat, turn: int) -> Ask:
        """The question to a seat for its `turn`th position, from 1."""
        lasts = [transcript.last(other.name) for other in self.case.seats if other != seat]
        spoken = [last for last in lasts if last is not None]
        if self.history == "full":
            past = self._all(transcript, seat)
            heard = [each for each in transcript.turns if each.seat != seat.name]
        else:
            past = self._last(transcript, seat, spoken)
            heard = sorted(spoken, key=lambda last: last.round)
        return Ask(
            seat=seat.name,
            model=seat.model,
            messages=merged([*past, ("user", self._instruction(turn))]),
            sampling=seat.sampling,
            answer_format=replace(self.case.answer_format, parts=PARTS),
            round=self.before + turn,
            position=self.case.seats.index(seat) + 1,
            prompt_hash=seat.prompt_hash,
            facts=Facts(self.case.id, self.before + turn, transcript.final(seat.name), seen(heard)),
        )

    def _last(self, transcript: Transcript, seat: Seat, others: Sequence[Turn]) -> Iterator[Part]:
        fill = self.case.prompts.fill
        labels = {other.name: other.label for other in self.case.seats}
        yield "system", seat.system
        if own := transcript.last(seat.name):
            yield "user", fill("position_own", shown=own.shown)
        for turn in others:
            yield "user", fill("position_other", label=labels[turn.seat], shown=turn.shown)

    def _all(self, transcript: Transcript, seat: Seat) -> Iterator[Part]:
        def instruct(round: int, _: bool) -> str:
            turn = round - self.before
            return instruct_opening(self.case) if turn < 1 else self._instruction(turn)

        hears = FULL.heard_by(self.case, seat)
        return history(self.case, transcript.steps, seat, instruct, hears, self.before)

    def _instruction(self, turn: int) -> str:
        words = self.case.answer_format.field
        told = self.case.prompts.fill("position_turn", turn=turn, turns=self.turns, asked=words)
        return f"{told}\n\n{form_section(self.case, 'position')}"


def position(ask: Ask, reply: Reply, held: Mapping[str, str | None]) -> Turn:
    """One turn, of a seat that held the label that `held` gives it.

    The answer decides, not the stated action; one that nobody held is a violation.
    """
    reading, parts = read_position(ask.answer_format, reply)
    own = held[ask.seat]
    outside = reading.label is not None and reading.label not in held.values()
    moved: Action = "retain" if reading.label == own else "adopt"
    stated = Stated(
        confidence=stated_confidence(parts.found.get("confidence", "")),
        stated_action=stated_action(parts.found.get("action", "")),
        action=None if reading.label is None or outside else moved,
        crux=parts.found.get("crux") or None,
        violation="outside" if outside else None,
    )
    return made(ask, reply, reading, stated)


def read_position(form: AnswerFormat, reply: Reply) -> tuple[Reading, Parts]:
    """How a position reads, explained by what is marked as the argument, else by the rest; and its parts."""
    parts = read_parts(reply.text, form.parts)
    reading = read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts)
    if reading.label is None:
        return reading, parts
    unmarked = read(parts.rest, reply.finish_reason, form.field, form.labels, form.option_texts)
    return replace(reading, explanation=parts.found.get("argument", unmarked.explanation)), parts
