"""What stands around a text that was searched for, and where."""

from __future__ import annotations

import re
from dataclasses import dataclass

AROUND = 60
"""Signs that are shown before it and after it, about."""

CUT = "…"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place of a text: what stands before and after it, and `where` that was said."""

    where: str
    before: str
    found: str
    after: str


def excerpt(where: str, said: str, wanted: str) -> Excerpt | None:
    """The first place of what is wanted in what was said, upper and lower case alike; None for none."""
    place = re.search(re.escape(wanted), said, re.IGNORECASE)
    if place is None:
        return None
    start, end = place.span()
    before, after = said[max(0, start - AROUND) : start], said[end : end + AROUND]
    if start > AROUND:
        before = CUT + before[before.find(" ") + 1 :]
    if end + AROUND < len(said):
        after = after[: after.rfind(" ") + 1 or None] + CUT
    return Excerpt(where, *(_in_one_line(each) for each in (before, place[0][: 2 * AROUND], after)))


def _in_one_line(said: str) -> str:
    return re.sub(r"\s+", " ", said)
