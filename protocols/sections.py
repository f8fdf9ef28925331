"""Which sections of the prompts a seat is given, by where it sits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import Field
from protocols.earlier import FORMS
from protocols.prompts import GOALS, PromptError, Prompts

VALUE = "value:"
DESCRIPTIONS = {
    "synchronous": "debate_synchronous",
    "round_robin": "debate_round_robin",
    "hybrid": "debate_hybrid",
    "reask": "reask",
    "consultancy": "consultancy",
    "double_consultancy": "consultancy",
    "debate": "debate_simultaneous",
    "debate_alternating": "debate_alternating",
    "debate_first_together": "debate_first_together",
    "disagreement_resolution": "resolution",
    "own": "debate_own",
}
"""The section that describes each structure to its seats."""

CONSULTING = ("consultancy", "double_consultancy")
ALONE = ("solo", "majority")
"""The structures of which a seat is told nothing, for it answers once and alone."""

ARGUING = (*CONSULTING, "debate", "debate_alternating", "debate_first_together")
ASKING = "judge_asks"
"""The structure of a judge who sits in and asks."""

OPENED = (*ARGUING, "disagreement_resolution")
"""The structures that begin with openings: every turn is told its own form, for they have several."""

_DEBATED = ("turn_first", "turn_heard", "turn_later", "heard")
_ARGUED = (
    *("turn_alone", "heard", "argue_first", "argue_later", "argue_heard"),
    *("argument_limit", "argument_length"),
)
_HELD = ("turn_alone", "heard", "heard_before", "position_own", "position_other", "position_turn")
_TURNS = {
    **dict.fromkeys(ALONE, ("turn_alone",)),
    "reask": ("turn_first", "turn_again"),
    **dict.fromkeys(ARGUING, _ARGUED),
    "disagreement_resolution": _HELD,
    "judge_nothing": ("turn_alone",),
    ASKING: (ASKING, "heard", "judge_asked"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat sits: its protocol, all labels in speaking order, its own position from 1.

    A judge's protocol is judge_ and what it sees; `winners` are what it may answer with, where that is who
    was right. By its form a `debate` is three protocols: itself, `debate_alternating`, and
    `debate_first_together`, which alternates after the first round. `rounds` are the most that there may
    be, after openings of their own the turns. `earlier` names the rounds, in words, that had another form,
    in a debate that goes on from one ("" for none). `hears` are the positions of those it hears, None for
    all; `exposure` is what it is shown of them. A confederate is `planted` a label, in words. `inquired` says
    that a judge sits in.
    """

    protocol: str
    labels: Sequence[str]
    position: int
    rounds: int
    earlier: str = ""
    winners: tuple[str, ...] = ()
    hears: tuple[int, ...] | None = None
    exposure: str = "all"
    planted: str = ""
    inquired: bool = False

    @property
    def alone(self) -> bool:
        """Whether nothing is described to the seat: it never hears anyone, nor is asked more than once."""
        if self.protocol in (*CONSULTING, "reask"):
            return False
        return len(self.labels) == 1 or self.protocol in ALONE

    @property
    def label(self) -> str:
        """How this seat is called."""
        return self.labels[self.position - 1]

    @property
    def others(self) -> str:
        """How the other seats are called, as a list in words."""
        return _listed([label for label in self.labels if label != self.label])

    @property
    def heard(self) -> str:
        """How those that this seat hears are called, where that is not all of them."""
        return _listed([self.labels[position - 1] for position in self.hears or ()])

    @property
    def views(self) -> list[str]:
        """The sections that tell what of the others the seat is not shown."""
        limits = [] if self.hears is None else ["view_hears" if self.hears else "view_nobody"]
        return limits + ([f"view_{self.exposure}"] if self.exposure != "all" else [])


def _listed(labels: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(labels[:-1]), *labels[-1:]]))


def check_steering(steering: str) -> None:
    """Raises `PromptError` unless `steering` is a known variant of the goals section or value:<label>."""
    if steering in GOALS or (steering.startswith(VALUE) and steering.removeprefix(VALUE).strip()):
        return
    raise PromptError(f"unknown steering '{steering}'; allowed: {', '.join(GOALS)}, value:<label>")


def goals_section(steering: str) -> str:
    """The name of the section that states the goals of a steering variant."""
    check_steering(steering)
    return "goals_value" if steering.startswith(VALUE) else f"goals_{steering}"


def system_sections(place: Place, steering: str, field: Field, form: str) -> list[str]:
    """The sections of a seat's system prompt, in order, as they are called where verdicts are asked for."""
    goals = "goals_planted" if place.planted else goals_section(steering)
    told = f"winner_format_{form}" if place.winners else f"format_{form}"
    names = [
        "task",
        *(["verdicts"] if field == "verdict" else []),
        *([] if place.protocol in (*OPENED, ASKING) else [told]),
        *([] if place.winners or place.protocol == ASKING else ["criteria"]),
        "case",
    ]
    if not place.alone:
        names += [DESCRIPTIONS[place.protocol]] if place.protocol in DESCRIPTIONS else []
        names += [*place.views, *(["judge_sits_in"] if place.inquired else [])]
        names += [earlier_section(place)] if place.earlier else []
    if not place.alone or goals in ("goals_value", "goals_planted"):
        names.append(goals)
    return names


def earlier_section(place: Place) -> str:
    """What tells of rounds that had another form: the one that those of this debate have not."""
    return "earlier_in_turn" if FORMS.get(place.protocol) == "together" else "earlier_together"


def prompt_hash(prompts: Prompts, place: Place, steering: str, field: Field, form: str) -> str:
    """The id of the wording that a seat is given: its system sections and the texts of its turns."""
    turns: Sequence[str] = _TURNS.get(place.protocol, _DEBATED)
    if place.views:
        turns = (*turns, "turn_again", "heard_counts")
    if place.inquired:
        turns = (*turns, "judge_asked")
    if place.protocol in OPENED:
        kind = "argument" if place.protocol in ARGUING else "position"
        turns = (*turns, f"opening_{form}", f"{kind}_{form}")
    if place.protocol in ("judge_transcript", "judge_positions"):
        own = ("winner_turn",) if place.winners else ("judge_turn", "turn_alone")
        turns = (place.protocol, "heard", *own)
    names = [*system_sections(place, steering, field, form), *turns]
    return prompts.id(*(prompts.worded(name, field) for name in names))
