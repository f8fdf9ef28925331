"""A seat's system prompt, built from sections: what all seats share first, what differs last."""

from __future__ import annotations

from protocols.answer_format import AnswerFormat
from protocols.case import Case
from protocols.prompts import Prompts
from protocols.sections import DESCRIPTIONS, VALUE, Place, earlier_section, system_sections


def system_prompt(
    prompts: Prompts, title: str, text: str, place: Place, steering: str, answer_format: AnswerFormat
) -> str:
    """The complete system prompt of one seat for one case; empty sections leave no gap."""
    field = answer_format.field
    words = words_of(answer_format)
    form = answer_format.name
    values: dict[str, dict[str, object]] = {
        f"format_{form}": {"labels": ", ".join(answer_format.labels)},
        f"winner_format_{form}": {"labels": ", ".join(place.winners)},
        "goals_value": {"value": steering.removeprefix(VALUE).strip()},
        earlier_section(place): {"rounds": place.earlier},
        "view_hears": {"heard": place.heard},
        "goals_planted": {"planted": place.planted},
    }
    if place.protocol in DESCRIPTIONS:
        values[DESCRIPTIONS[place.protocol]] = {
            **words,
            "label": place.label,
            "seats": len(place.labels),
            "others": place.others,
            "rounds": place.rounds,
            "turns": place.rounds,
            "position": place.position,
        }

    def filled(name: str) -> str:
        if name == "case":
            return case_text(prompts, title, text, answer_format)
        return prompts.fill(prompts.worded(name, field), **(words | values.get(name, {}))).strip()

    sections = map(filled, system_sections(place, steering, field, form))
    return "\n\n".join(section for section in sections if section)


def words_of(answer_format: AnswerFormat) -> dict[str, str]:
    """What is asked and what it is asked of, as prompts call them."""
    asked = answer_format.field
    return {"asked": asked, "matter": "question" if asked == "answer" else "situation"}


def case_section(case: Case) -> str:
    """The case as its seats have it before them."""
    return case_text(case.prompts, case.title, case.text, case.answer_format)


def case_text(prompts: Prompts, title: str, text: str, answer_format: AnswerFormat) -> str:
    """The section that puts the case, with the options of a question."""
    if answer_format.option_texts is None:
        return prompts.fill("case", title=title, text=text).strip()
    lettered = zip(answer_format.labels, answer_format.option_texts, strict=True)
    return prompts.fill(
        "question_case",
        text="\n\n".join(filter(None, [title, text])),
        options="\n".join(f"{letter}. {option}" for letter, option in lettered),
    ).strip()
