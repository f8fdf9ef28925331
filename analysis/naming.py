"""Conditions in words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from textwrap import shorten

import pandas as pd

from analysis.tally import CONDITION

PLAIN = ("protocol", "panel")
"""The columns of the condition whose values speak for themselves."""

USUAL = {"stage": "debate", "steering": "default"}
"""Values that come before all others of their column. The stage `debate` needs no words of its own."""

LONGEST = 40
"""Characters of a parameter that are told."""

SEATED = ("panel", "steering")
"""The columns that name something for every seat."""


def differing(frame: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """The columns of `by` that are not the same in all rows; the first but the stage if all are."""
    return [name for name in by if frame[name].nunique() > 1] or [name for name in by if name != "stage"][:1]


def same(frame: pd.DataFrame) -> str:
    """What is the same in all rows, as "panel a + b, steering default ×2"; "" where nothing is."""
    fixed = {name: str(frame[name].iloc[0]) for name in CONDITION if frame[name].nunique() == 1}
    words = {name: _words(name, value) for name, value in fixed.items()}
    return ", ".join(f"{name} {said}" if name in PLAIN else said for name, said in words.items() if said)


def pooled(frame: pd.DataFrame, by: Sequence[str]) -> str:
    """What is pooled over, as "order (1-2, 2-1), answer format (json, text)"; "" where nothing is."""
    over = [name for name in CONDITION if name not in by and frame[name].nunique() > 1]
    values = [
        ", ".join(_value(name, value) or "none" for value in sorted(frame[name].unique())) for name in over
    ]
    return ", ".join(f"{name.replace('_', ' ')} ({said})" for name, said in zip(over, values, strict=True))


def label(design: Mapping[str, str]) -> str:
    """The name of a condition, from those of its columns that tell it from others."""
    said = [_words(name, value) for name, value in design.items()]
    alone = f"stage {design['stage']}" if "stage" in design else ""
    return " · ".join(filter(None, said)) or alone


def rank(design: Mapping[str, str]) -> list[list[tuple[bool, str]]]:
    """Where a condition stands among others: by the alphabet, but what is `USUAL` first."""
    return [
        [(part != USUAL.get(name, part), part) for part in value.split("+")] for name, value in design.items()
    ]


def _words(name: str, value: str) -> str:
    """A column of the condition in words; none where it has no value, and for the stage `debate`."""
    said = "" if (name, value) == ("stage", USUAL["stage"]) else _value(name, value)
    return said if not said or name in PLAIN or name == "variant" else f"{name.replace('_', ' ')} {said}"


def _value(name: str, value: str) -> str:
    """A value in words: "rounds 4" for a variant, "default ×3" where all seats are alike."""
    if name == "variant":
        return ", ".join(f"{key} {_setting(setting)}" for key, setting in _parameters(value).items())
    if name not in SEATED:
        return value
    seats = value.split("+")
    alike = len(seats) > 1 and len(set(seats)) == 1
    return f"{seats[0]} ×{len(seats)}" if alike else " + ".join(seats)


def _parameters(variant: str) -> dict[str, object]:
    """The parameters of a variant; one that moot has not written stands there as it is."""
    try:
        found = json.loads(variant or "{}")
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"variant": variant}


def _setting(setting: object) -> str:
    """A parameter in words: what has parameters of its own as "(n 3, seats 1)", long texts cut."""
    if isinstance(setting, dict):
        return f"({', '.join(f'{key} {_setting(own)}' for key, own in setting.items())})"
    if isinstance(setting, list):
        between = "; " if any(isinstance(each, list) for each in setting) else " and "
        return between.join(_setting(each) or "none" for each in setting)
    return shorten(str(setting), LONGEST, placeholder=" …")
