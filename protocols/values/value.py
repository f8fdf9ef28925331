"""A value, and when two spellings mean the same one."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

MOST_VALUES = 5  # that one explanation is labelled with
NONE = "none"  # what a person writes who finds none of the values; the name of no value

LONGEST_NAME = 200  # characters

_QUOTES = dict.fromkeys(map(ord, "\"'`´‘’‚‛“”„‟«»‹›＂＇"))
_ENDS = ".,;: "


@dataclass(frozen=True, slots=True)
class Value:
    """A value: its name, what is meant by it in a sentence, and the group of like values ("" for none)."""

    name: str
    definition: str
    group: str = ""


def normal(name: str) -> str:
    """What all spellings of one name have in common; two names without it in common are two values.

    Case, white space, the width of letters, quotation marks, and stops or commas at the end make no other
    name; signs, hyphens and combining marks do. What is far longer than any name stays as it is, since
    normalising it may take quadratic time.
    """
    if len(name) > 4 * LONGEST_NAME:
        return name
    plain = unicodedata.normalize("NFKC", name.translate(_QUOTES)).casefold()
    return " ".join(unicodedata.normalize("NFKC", plain).split()).rstrip(_ENDS)
