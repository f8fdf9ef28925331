"""What was said: one record from which each seat's view is derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from protocols.answer_format import render
from protocols.dialogue import Ask, Replies, Reply, Step
from protocols.reading import Reading, read

NO_REPLY = "(no reply)"

Action = Literal["retain", "adopt"]
Violation = Literal["outside", "left_stance", "over_limit"]
ExitMode = Literal["consensus", "swapped", "turn_limit"]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a turn states beside its label and explanation, where its protocol asks for it.

    `stance` is the label argued for; `confidence` (0 to 1) that in the answer given; `action` is what the
    answer shows, whatever action was stated; `violation` the rule of the protocol that the turn broke.
    """

    stance: str | None = None
    confidence: float | None = None
    stated_action: Action | None = None
    action: Action | None = None
    crux: str | None = None
    violation: Violation | None = None


NOTHING_STATED = Stated()


@dataclass(frozen=True, slots=True)
class Turn:
    """One seat's answer in a round. `shown` is what enters any later prompt, its author's included."""

    round: int
    position: int
    seat: str
    model: str
    reading: Reading
    text: str
    shown: str
    stated: Stated = NOTHING_STATED

    @property
    def label(self) -> str | None:
        """The verdict or answer that was read; None when the turn is unreadable."""
        return self.reading.label

    @property
    def holds(self) -> str | None:
        """What its seat stands for after it: its stance, or else the label that it gives, if admitted."""
        return self.stated.stance or (self.label if self.stated.violation != "outside" else None)


@dataclass(frozen=True, slots=True)
class Question:
    """What a judge who sits in asks after a round, as it is shown."""

    round: int
    shown: str


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns so far, by step: turns of one step were composed without sight of each other.

    The first `inherited` steps were played in the debate that this one goes on from; the first `unheard`
    ones nobody hears of but their authors. `apart` says that no seat has heard any other; `silent` seats
    are given no turn after those; with `lasting` positions a turn that holds nothing leaves the one before
    it. `exit_mode` is how the attempt to resolve a disagreement ended, where there was one. `questions` are
    those of a judge who sits in. `decision` is the label that a vote came to, where the panel `voted`; None
    where nobody gave any.
    """

    steps: tuple[tuple[Turn, ...], ...] = ()
    inherited: int = 0
    unheard: int = 0
    apart: bool = False
    silent: tuple[str, ...] = ()
    lasting: bool = False
    exit_mode: ExitMode | None = None
    questions: tuple[Question, ...] = ()
    voted: bool = False
    decision: str | None = None

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn, oldest first; within a step in speaking order."""
        return tuple(turn for step in self.steps for turn in step)

    @property
    def heard(self) -> tuple[tuple[Turn, ...], ...]:
        """The steps that others than their authors may hear of."""
        return self.steps[self.unheard :]

    @property
    def unheard_rounds(self) -> int:
        """The last of the rounds that nobody hears of but their authors; 0 for none."""
        return self.steps[self.unheard - 1][-1].round if self.unheard else 0

    @property
    def openings(self) -> int:
        """How many of the first turns were said in the debate that this one goes on from."""
        return sum(map(len, self.steps[: self.inherited]))

    @property
    def rounds(self) -> int:
        """The round of the latest turn; 0 before any."""
        return self.steps[-1][-1].round if self.steps else 0

    def in_round(self, round: int) -> tuple[Turn, ...]:
        """The turns of one round, in speaking order."""
        return tuple(turn for turn in self.turns if turn.round == round)

    def own(self, seat: str) -> tuple[Turn, ...]:
        """The turns of one seat, oldest first."""
        return tuple(turn for turn in self.turns if turn.seat == seat)

    def last(self, seat: str) -> Turn | None:
        """The turn that gives a seat's position; None for a seat that is silent or has not spoken.

        It is the latest, where positions are `lasting` the latest that holds any.
        """
        own = () if seat in self.silent else self.own(seat)
        holding = [turn for turn in own if turn.holds is not None] if self.lasting else []
        return (holding or own or (None,))[-1]

    def final(self, seat: str) -> str | None:
        """What a seat's position is for; None when that is unreadable or there is none."""
        last = self.last(seat)
        return last.holds if last else None

    def then(
        self, step: Step, replies: Replies, read_turn: Callable[[Ask, Reply], Turn] | None = None
    ) -> Transcript:
        """The transcript after one more step was answered; `read_turn` makes a turn of a reply."""
        return replace(self, steps=(*self.steps, tuple(map(read_turn or turn, step, replies))))

    def opening(self) -> Transcript:
        """The transcript as another debate begins with it, which goes on from this one."""
        return Transcript(self.steps, inherited=len(self.steps))


def turn(ask: Ask, reply: Reply) -> Turn:
    """The turn that a reply makes: read once, and rendered the same for every answer format.

    An unreadable turn is shown as it was written, an empty one as "(no reply)".
    """
    form = ask.answer_format
    return made(ask, reply, read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts))


def made(ask: Ask, reply: Reply, reading: Reading, stated: Stated = NOTHING_STATED) -> Turn:
    """The turn that a reply makes when it was read so."""
    if reading.label is not None:
        shown = render(ask.answer_format.field, reading.label, reading.explanation)
    else:
        shown = reading.explanation.strip() or NO_REPLY
    return Turn(ask.round, ask.position, ask.seat, ask.model, reading, reply.text, shown, stated)
