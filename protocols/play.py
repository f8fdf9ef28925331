"""The player: one dialogue being played, without I/O.

Whoever plays a dialogue writes its record; a protocol never does. A whole play:

    play = Play(synchronous(case), seed)
    while not play.done:
        for slot in play.open:              # questions that may be answered at the same time
            play.answer(slot, reply_to(play.step[slot]))
    play.outcome
"""

from __future__ import annotations

from dataclasses import replace
from typing import Generic, TypeVar

from protocols.dialogue import Ask, Dialogue, Replies, Reply, Step
from protocols.seeds import ask_seed

T = TypeVar("T")


class PlayError(RuntimeError):
    """The player was misused, or a protocol broke the laws of the dialogue."""


class Play(Generic[T]):
    """A dialogue with its current step.

    `index` counts steps from 0; `step` holds the asks of the current one, seeds stamped; `replies`
    those of its replies that are there, by slot.
    """

    def __init__(self, dialogue: Dialogue[T], seed: int) -> None:
        self._dialogue = dialogue
        self._seed = seed
        self._outcome: list[T] = []
        self.index = -1
        self.step: Step = ()
        self.replies: dict[int, Reply] = {}
        self._advance(None)

    @property
    def done(self) -> bool:
        """Whether the dialogue has ended and `outcome` stands."""
        return bool(self._outcome)

    @property
    def outcome(self) -> T:
        """What the dialogue returned. Raises `PlayError` while it is still being played."""
        if not self._outcome:
            raise PlayError(f"the dialogue waits for slots {self.open} of step {self.index}")
        return self._outcome[0]

    @property
    def open(self) -> list[int]:
        """The slots of the current step that have no reply yet."""
        return [slot for slot in range(len(self.step)) if slot not in self.replies]

    def answer(self, slot: int, reply: Reply) -> bool:
        """Puts the reply into its slot; True when that completed the step and the dialogue went on.

        Raises `PlayError` for a slot that is not open.
        """
        if slot not in self.open:
            raise PlayError(f"slot {slot} of step {self.index} is not open; open: {self.open}")
        self.replies[slot] = reply
        if self.open:
            return False
        self._advance(tuple(self.replies[slot] for slot in range(len(self.step))))
        return True

    def _advance(self, replies: Replies | None) -> None:
        try:
            asks = next(self._dialogue) if replies is None else self._dialogue.send(replies)
        except StopIteration as stop:
            self.step, self.replies = (), {}
            self._outcome.append(stop.value)
            return
        if not asks:
            raise PlayError(f"the dialogue yielded an empty step after step {self.index}")
        self.index += 1
        self.step, self.replies = tuple(map(self._seeded, range(len(asks)), asks)), {}

    def _seeded(self, slot: int, ask: Ask) -> Ask:
        return replace(ask, seed=ask_seed(self._seed, self.index, slot))
