"""What was said: one record from which each seat's view is derived."""

from __future__ import annotations

from dataclasses import dataclass, replace

from protocols.answer_format import render
from protocols.dialogue import Ask, Replies, Reply, Step
from protocols.reading import Reading, read

NO_REPLY = "(no reply)"


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

    @property
    def label(self) -> str | None:
        """The verdict or answer that was read; None when the turn is unreadable."""
        return self.reading.label


@dataclass(frozen=True, slots=True)
class Transcript:
    """All turns so far, by step: turns of one step were composed without sight of each other.

    The first `inherited` steps were played in the debate that this one goes on from.
    """

    steps: tuple[tuple[Turn, ...], ...] = ()
    inherited: int = 0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every turn, oldest first; within a step in speaking order."""
        return tuple(turn for step in self.steps for turn in step)

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

    def then(self, step: Step, replies: Replies) -> Transcript:
        """The transcript after one more step was answered."""
        return replace(self, steps=(*self.steps, tuple(map(turn, step, replies))))

    def opening(self) -> Transcript:
        """The transcript as another debate begins with it, which goes on from this one."""
        return replace(self, inherited=len(self.steps))


def turn(ask: Ask, reply: Reply) -> Turn:
    """The turn that a reply makes: read once, and rendered the same for every answer format.

    An unreadable turn is shown as it was written, an empty one as "(no reply)".
    """
    form = ask.answer_format
    reading = read(reply.text, reply.finish_reason, form.field, form.labels, form.option_texts)
    if reading.label is not None:
        shown = render(form.field, reading.label, reading.explanation)
    else:
        shown = reading.explanation.strip() or NO_REPLY
    return Turn(ask.round, ask.position, ask.seat, ask.model, reading, reply.text, shown)
