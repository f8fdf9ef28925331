"""What makes a case a question: its options, which of them is right, and openings that it brings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from protocols.answer_format import LETTERS
from ray_jobs import case_values as values
from ray_jobs.case_values import Value

Openings: TypeAlias = tuple[tuple[str, str], ...]
"""For each seat of the panel the text of the option it opens with, and its argument."""

OPENING = ("answer", "argument")


def options(value: Value) -> list[str] | None:
    """The 2 to 26 options of a question, all different, in the order of the file; None where there are none.

    Raises `ExperimentError`, as everything here does, for what cannot be put as a question.
    """
    elements = values.elements(value)
    if elements is None:
        return None
    if len(elements) < 2:
        raise value.refuse("two options or more, or none for a case that is no question")
    if len(elements) > len(LETTERS):
        raise value.refuse(f"at most {len(LETTERS)} options, one for each letter; here are {len(elements)}")
    options = [values.text(element) for element in elements]
    first: dict[str, str] = {}
    for element, option in zip(elements, options, strict=True):
        if (same := first.setdefault(option.strip(), element.column)) != element.column:
            raise element.refuse(f"an option that differs from {same}")
    return options


def right_option(value: Value, options: Sequence[str] | None) -> str | None:
    """The text of the right option, found by its text or else its letter; None where it is not known.

    Of a case without options, which is no question, it is the text as it stands.
    """
    found = values.optional_text(value)
    return found if found is None or options is None else _option(value, found, options)


def openings(value: Value, options: Sequence[str] | None) -> Openings | None:
    """What each seat opens with, a list of {"answer", "argument"}, in CSV as JSON; None where nothing is."""
    elements = values.elements(value)
    if elements is None:
        return None
    if options is None:
        raise value.refuse("openings where the case has options; it has none")
    if not elements:
        raise value.refuse("an opening for each seat of the panel, or nothing")
    return tuple(_opening(element, options) for element in elements)


def as_objects(openings: Openings | None) -> list[dict[str, str]] | None:
    """Openings as a file of cases has them."""
    return None if openings is None else [dict(zip(OPENING, opening, strict=True)) for opening in openings]


def as_texts(openings: Openings | None) -> list[str] | None:
    """Openings as the table of cases holds them: canonical JSON, one text for each seat."""
    objects = as_objects(openings)
    if objects is None:
        return None
    return [json.dumps(each, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for each in objects]


def from_texts(texts: Iterable[str] | None) -> Openings | None:
    """The openings that `as_texts` wrote."""
    if texts is None:
        return None
    parts = map(json.loads, texts)
    return tuple((part["answer"], part["argument"]) for part in parts)


def _opening(value: Value, options: Sequence[str]) -> tuple[str, str]:
    found = value.found
    if not isinstance(found, dict) or sorted(found) != sorted(OPENING):
        raise value.refuse('{"answer": the text of an option or its letter, "argument": a text}')
    answer, argument = (Value(value.place, f"{value.column}.{key}", found[key]) for key in OPENING)
    return _option(answer, values.optional_text(answer), options), values.text(argument)


def _option(value: Value, found: str | None, options: Sequence[str]) -> str:
    letters = LETTERS[: len(options)]
    if found is not None and found in options:
        return found
    if found is not None and found in letters:
        return options[letters.index(found)]
    raise value.refuse(f"the text of one of the {len(options)} options, or its letter, A to {letters[-1]}")
