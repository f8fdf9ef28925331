"""Who saw what where seats are shown less, more, or a confederate; and where a judge sits in and asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from protocols.case import Case, Seat
from protocols.dialogue import Ask, Reply
from protocols.judge import JUDGE
from protocols.laws.golden import first_prompts, new, told
from protocols.planted import planted
from protocols.play import Play
from protocols.sections import ASKING, Place, prompt_hash
from protocols.system_prompt import system_prompt
from tests.golden.who_saw_what import ending, shown
from tests.protocols.panels import Played, case, dialogue, orderly, play_out

SURE = "I have thought about it and I am sure."


@dataclass(frozen=True)
class Seen:
    """A debate of a protocol on the ladder, with its parameters and what is further true of the case."""

    protocol: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    how: Mapping[str, Any] = field(default_factory=dict)
    judged: bool = False

    def case(self) -> Case:
        """The ladder before these seats."""
        views = {name: self.options[name] for name in ("hears", "exposure") if name in self.options}
        return case(self.protocol, self.seats, **{"rounds": 2, "inquired": self.judged, **views, **self.how})

    def played(self) -> Played:
        """The debate from beginning to end."""
        on = self.case()
        sitting = {"sits_in": sitting_judge(on)} if self.judged else {}
        said = dialogue(self.protocol, on, **{"rounds": 2, "turns": 2, **self.options, **sitting})
        return play_out(Play(planted(said, on) if self.how else said, seed=7), asking)


VIEWS = {
    "synchronous_star": Seen("synchronous", 3, {"hears": "star"}),
    "synchronous_ring": Seen("synchronous", 5, {"hears": "ring"}),
    "round_robin_listed": Seen("round_robin", 3, {"hears": [[2], [], [1, 2]]}),
    "synchronous_verdicts": Seen("synchronous", 3, {"exposure": "verdicts"}),
    "round_robin_counts": Seen("round_robin", 5, {"exposure": "counts"}),
    "hybrid_reasons": Seen("hybrid", 3, {"exposure": "reasons"}),
    "synchronous_paper": Seen("synchronous", 3, {"history": "paper"}),
    "round_robin_paper": Seen("round_robin", 3, {"history": "paper"}),
    "planted_model": Seen("synchronous", 2, {"stop": "never"}, {"planted": {2: None}}),
    "planted_script": Seen("round_robin", 3, {"stop": "never"}, {"planted": {1: SURE}}),
    "consultancy_sits_in": Seen("consultancy", 2, judged=True),
    "debate_sits_in": Seen("debate", 2, judged=True),
}


def view_files() -> dict[str, str]:
    """Every golden file's name and its text."""
    return {f"{name}.txt": written(name, seen) for name, seen in VIEWS.items()}


def written(name: str, seen: Seen) -> str:
    """One scripted debate: system prompts, then every ask with what is new to its seat, then all turns."""
    game, on = seen.played(), seen.case()
    prompts = {seat.label: seat.system for seat in on.seats if seat.script is None}
    judge = [f"=== system prompt, to the judge\n{sitting_judge(on).system}"] if seen.judged else []
    parts = [
        f"{name}, {seen.seats} seats. Each ask shows only what is new to its seat.",
        *first_prompts(prompts),
        *judge,
        *((new if seen.judged else shown)(game, number) for number in range(len(game.asks))),
        ending(game.outcome),
        "\n".join(map(told, game.outcome.turns)),
    ]
    return "\n\n".join(parts) + "\n"


def asking(ask: Ask) -> Reply:
    """Replies that are in order; a judge asks one question, a confederate defends what is planted."""
    if ask.kind == "judge":
        return Reply(f"What of point {ask.round}?")
    if ask.facts.stance and ask.answer_format.field != "argument":
        return Reply(
            ask.answer_format.write(ask.facts.stance, f"Defence of {ask.seat} in round {ask.round}.")
        )
    return orderly(ask)


def sitting_judge(on: Case) -> Seat:
    """A judge who sits in before the case."""
    place, form = Place(ASKING, ["Judge"], 1, 1), on.answer_format
    system = system_prompt(on.prompts, on.title, on.text, place, "none", form)
    hash = prompt_hash(on.prompts, place, "none", form.field, form.name)
    return Seat(JUDGE, "Judge", "alpha", system, prompt_hash=hash)
