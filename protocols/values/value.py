"""A value, and when two spellings mean the same one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_VALUES = 5  # that one explanation is labelled with
NONE = "none"  # what a person writes who finds none of the values; the name of no value

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Value:
    """A value: its name, what is meant by it in a sentence, and the group of like values ("" for none)."""

    name: str
    definition: str
    group: str = ""


def normal(name: str) -> str:
    """What all spellings of one name have in common: its words in small letters, whatever parts them."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))
