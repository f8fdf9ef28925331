"""What the structures grant, written down from their description: who is shown which turn, when it ends.

Nothing here is taken from the protocols but the words of their records; a turn's standing is worked out
from labels alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from protocols.answer_format import FormatName
from protocols.case import Case
from protocols.dialogue import Ask
from protocols.transcript import Transcript, Turn
from tests.protocols.panels import Played, Replier, case, played, question

ROUNDS = 4  # of which the first is the opening, where there is one
TURNS = ROUNDS - 1
Matter = Literal["situation", "question"]


@dataclass(frozen=True)
class Structure:
    """One protocol with its parameters.

    `place` is what its seats are told it is, `opens` says whether the first round has openings that only
    their authors may be shown, `grows` whether a seat's messages only grow, openings apart.
    """

    protocol: str
    sees: Callable[[Played, Ask, Turn], bool]
    options: Mapping[str, Any] = field(default_factory=dict)
    swap: bool = False
    place: str = ""
    grows: bool = True

    @property
    def exposure(self) -> str:
        """What of a turn others are shown."""
        return str(self.options.get("exposure", "all"))

    @property
    def repeats(self) -> bool:
        """Whether rounds are repeated, one's own text included."""
        return self.options.get("history") == "paper"

    def reads(self, game: Played, ask: Ask, turn: Turn) -> bool:
        """Whether the ask shows the words of the turn, and not only its label, or that there was one."""
        words = turn.seat == ask.seat or self.exposure in ("all", "reasons")
        return words and self.sees(game, ask, turn)

    def case(self, n: int, matter: Matter = "situation", form: FormatName = "text", **how: Any) -> Case:
        """A case before `n` seats of this structure."""
        make = case if matter == "situation" else question
        return make(self.place or self.protocol, n, form=form, rounds=ROUNDS, stance_swap=self.swap, **how)

    def played(self, on: Case, reply_to: Replier) -> Played:
        """The structure on a case, from beginning to end."""
        return played(self.protocol, on, reply_to, **self.limits)

    @property
    def limits(self) -> dict[str, Any]:
        """Its parameters, and how long it may last."""
        return {"rounds": ROUNDS, "turns": TURNS, **self.options}


def nobody(_game: Played, _ask: Ask, _turn: Turn) -> bool:
    return False


def earlier_rounds(_game: Played, ask: Ask, turn: Turn) -> bool:
    return turn.round < ask.round


def earlier_speakers(_game: Played, ask: Ask, turn: Turn) -> bool:
    return (turn.round, turn.position) < (ask.round, ask.position)


def own_earlier_rounds(_game: Played, ask: Ask, turn: Turn) -> bool:
    return turn.seat == ask.seat and turn.round < ask.round


def first_round_together(_game: Played, ask: Ask, turn: Turn) -> bool:
    return ask.round > 1 and (turn.round, turn.position) < (ask.round, ask.position)


LISTED = [[3], [1, 3], [], [5], [1, 2, 3, 4]]


def in_star(game: Played, ask: Ask, turn: Turn) -> bool:
    return turn.seat == ask.seat or "seat 1" in (turn.seat, ask.seat)


def in_ring(game: Played, ask: Ask, turn: Turn) -> bool:
    seats = sorted({each.seat for each in game.outcome.turns})
    apart = (seats.index(turn.seat) - seats.index(ask.seat)) % len(seats)
    return apart in (0, 1, len(seats) - 1)


def as_listed(_game: Played, ask: Ask, turn: Turn) -> bool:
    return turn.seat == ask.seat or int(turn.seat[-1]) in LISTED[int(ask.seat[-1]) - 1]


Rule = Callable[[Played, Ask, Turn], bool]


def both(first: Rule, second: Rule) -> Rule:
    """What two rules allow."""
    return lambda game, ask, turn: first(game, ask, turn) and second(game, ask, turn)


def own_alone(game: Played, ask: Ask, turn: Turn) -> bool:
    """A consultant: all that it wrote itself, its opening where it argues for that."""
    if turn.seat != ask.seat or turn.round >= ask.round:
        return False
    return turn.round > 1 or turn.label == ask.facts.stance


def argued_together(_game: Played, ask: Ask, turn: Turn) -> bool:
    return 1 < turn.round < ask.round


def argued_in_turn(_game: Played, ask: Ask, turn: Turn) -> bool:
    return turn.round > 1 and (turn.round, turn.position) < (ask.round, ask.position)


def argued_first_together(game: Played, ask: Ask, turn: Turn) -> bool:
    rule = argued_together if ask.round == 2 else argued_in_turn
    return rule(game, ask, turn)


def last_positions(game: Played, ask: Ask, turn: Turn) -> bool:
    """The latest turn of each seat that stands, or its latest where none does."""
    if ask.round == 1 or turn.round >= ask.round:
        return False
    own = [each for each in game.outcome.own(turn.seat) if each.round < ask.round]
    standing = [each for each in own if stands(game.outcome, each)]
    return turn is (standing or own)[-1]


def stands(transcript: Transcript, turn: Turn) -> bool:
    """Whether a turn gives a label that somebody held before it, or opens with any."""
    if turn.label is None:
        return False
    return turn.round == 1 or turn.label in held(transcript, turn.round - 1).values()


def held(transcript: Transcript, round: int) -> dict[str, str | None]:
    """What each seat holds at the end of a round: the label of its latest turn that stands."""
    labels: dict[str, str | None] = {}
    for turn in transcript.turns:
        if turn.round <= round:
            labels[turn.seat] = turn.label if stands(transcript, turn) else labels.get(turn.seat)
    return labels


def stances(game: Played, swap: bool) -> dict[str, str]:
    """What each seat argues for: its opening, or with a swap that of the next on the panel."""
    labels = [turn.label for turn in game.outcome.in_round(1)]
    if swap:
        labels = [*labels[1:], labels[0]]
    seats = [turn.seat for turn in game.outcome.in_round(1)]
    return {seat: label for seat, label in zip(seats, labels, strict=True) if label is not None}


STRUCTURES: dict[str, Structure] = {
    "solo": Structure("solo", nobody),
    "synchronous": Structure("synchronous", earlier_rounds),
    "round_robin": Structure("round_robin", earlier_speakers),
    "hybrid": Structure("hybrid", first_round_together),
    "reask": Structure("reask", own_earlier_rounds),
    "majority": Structure("majority", nobody, grows=False),
    "synchronous, star": Structure("synchronous", both(earlier_rounds, in_star), {"hears": "star"}),
    "round_robin, ring": Structure("round_robin", both(earlier_speakers, in_ring), {"hears": "ring"}),
    "hybrid, listed": Structure("hybrid", both(first_round_together, as_listed), {"hears": LISTED}),
    "synchronous, verdicts": Structure("synchronous", earlier_rounds, {"exposure": "verdicts"}),
    "round_robin, counts": Structure("round_robin", earlier_speakers, {"exposure": "counts"}),
    "hybrid, reasons": Structure("hybrid", first_round_together, {"exposure": "reasons"}),
    "synchronous, paper": Structure("synchronous", earlier_rounds, {"history": "paper"}),
    "round_robin, paper": Structure("round_robin", earlier_speakers, {"history": "paper"}),
    "debate, star": Structure("debate", both(argued_together, in_star), {"hears": "star"}),
    "consultancy": Structure("consultancy", own_alone),
    "consultancy, swapped": Structure("consultancy", own_alone, swap=True),
    "double_consultancy": Structure("double_consultancy", own_alone, {"words": 5}),
    "double_consultancy, swapped": Structure("double_consultancy", own_alone, swap=True),
    "debate": Structure("debate", argued_together),
    "debate, swapped": Structure("debate", argued_together, {"words": 5}, swap=True),
    "debate, alternating": Structure(
        "debate", argued_in_turn, {"form": "alternating"}, place="debate_alternating"
    ),
    "debate, first together": Structure(
        "debate",
        argued_first_together,
        {"form": "alternating", "first": "simultaneous"},
        place="debate_first_together",
    ),
    "disagreement_resolution": Structure("disagreement_resolution", last_positions, grows=False),
    "disagreement_resolution, full": Structure(
        "disagreement_resolution", earlier_rounds, {"history": "full"}
    ),
}
"""Every protocol, with the parameters that change who sees what."""

ARGUED = ("consultancy", "double_consultancy", "debate")


@cache
def game(name: str, n: int, matter: Matter, form: FormatName, reply_to: Replier) -> Played:
    """A structure played once for all the laws that look at it."""
    structure = STRUCTURES[name]
    return structure.played(structure.case(n, matter, form), reply_to)
