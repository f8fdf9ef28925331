"""A seat's system prompt, built from sections: what all seats share first, what differs last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocols.answer_format import AnswerFormat
from protocols.earlier import FORMS
from protocols.prompts import BUILTIN, GOALS, PromptError, Prompts

VALUE = "value:"
TURNS = {
    "solo": ("turn_alone",),
    "judge_transcript": ("judge_transcript", "heard", "judge_turn"),
    "judge_positions": ("judge_positions", "heard", "judge_turn"),
    "judge_nothing": ("turn_alone",),
}
"""The sections that the questions to a seat are made of, where it is not one of a debate."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seat sits: its protocol, all labels in speaking order, its own position from 1.

    A judge's protocol is judge_ and what it sees. `earlier` names the rounds, in words, that had another
    form, in a debate that goes on from one ("" for none).
    """

    protocol: str
    labels: Sequence[str]
    position: int
    rounds: int
    earlier: str = ""

    @property
    def alone(self) -> bool:
        """Whether the seat never hears anyone: then no debate is described to it."""
        return len(self.labels) == 1 or self.protocol == "solo"

    @property
    def label(self) -> str:
        """How this seat is called."""
        return self.labels[self.position - 1]

    @property
    def others(self) -> str:
        """How the other seats are called, as a list in words."""
        others = [label for label in self.labels if label != self.label]
        return " and ".join(filter(None, [", ".join(others[:-1]), others[-1]]))


def check_steering(steering: str) -> None:
    """Raises `PromptError` unless `steering` is a known variant of the goals section or value:<label>."""
    if steering in GOALS or (steering.startswith(VALUE) and steering.removeprefix(VALUE).strip()):
        return
    raise PromptError(f"unknown steering '{steering}'; allowed: {', '.join(GOALS)}, value:<label>")


def goals_section(steering: str) -> str:
    """The name of the section that states the goals of a steering variant."""
    check_steering(steering)
    return "goals_value" if steering.startswith(VALUE) else f"goals_{steering}"


def section_names(place: Place, steering: str, answer_format: AnswerFormat) -> list[str]:
    """The sections of a seat's system prompt, in order."""
    names = ["task", "verdicts", f"format_{answer_format.name}", "criteria", "case"]
    goals = goals_section(steering)
    if not place.alone:
        debate = f"debate_{place.protocol}"
        names += [debate] if debate in BUILTIN else []
        names += [_earlier_section(place)] if place.earlier else []
    if not place.alone or goals == "goals_value":
        names.append(goals)
    return names


def _earlier_section(place: Place) -> str:
    """What tells of rounds that had another form: the one that those of this debate have not."""
    return "earlier_in_turn" if FORMS.get(place.protocol) == "together" else "earlier_together"


def system_prompt(
    prompts: Prompts, title: str, text: str, place: Place, steering: str, answer_format: AnswerFormat
) -> str:
    """The complete system prompt of one seat for one case; empty sections leave no gap."""
    values: dict[str, dict[str, object]] = {
        f"format_{answer_format.name}": {"labels": ", ".join(answer_format.labels)},
        "case": {"title": title, "text": text},
        "goals_value": {"value": steering.removeprefix(VALUE).strip()},
    }
    if not place.alone:
        values[f"debate_{place.protocol}"] = {
            "label": place.label,
            "seats": len(place.labels),
            "others": place.others,
            "rounds": place.rounds,
            "position": place.position,
        }
        values[_earlier_section(place)] = {"rounds": place.earlier}
    names = section_names(place, steering, answer_format)
    filled = (prompts.fill(name, **values.get(name, {})).strip() for name in names)
    return "\n\n".join(section for section in filled if section)


def prompt_hash(prompts: Prompts, place: Place, steering: str, answer_format: AnswerFormat) -> str:
    """The id of the wording that a seat is given: its system sections and the texts of its turns."""
    turns = TURNS.get(place.protocol, ("turn_first", "turn_heard", "turn_later", "heard"))
    return prompts.id(*section_names(place, steering, answer_format), *turns)
