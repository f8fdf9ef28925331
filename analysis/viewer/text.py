"""Text of models as it may stand in a page: escaped, and with what cannot be seen made visible."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from markupsafe import Markup, escape

UNSEEN = re.compile(
    # controls but tab and line end, formats (bidi, zero width, tags), what is for private use or is none
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\ue000-\uf8ff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
"""What a reader would not see though it changes what is read."""

STACK = 4
"""Marks over one letter that some languages need; more of them paint over other lines."""

SHOWN, LINES = 1_600, 40
"""Signs and lines of a text that stand open; the rest of a longer one is folded away."""

MOST = 200_000
"""Signs of a text that a page holds."""


def visible(said: str | None) -> Markup:
    """The text as markup, in a direction of its own; what cannot be seen stands there by its name."""
    return Markup('<bdi class="said">{}</bdi>').format(_marked(said or ""))


def plain(value: object) -> object:
    """What a template writes: of any text that is no markup, what cannot be seen stands there by its code.

    It is escaped thereafter. Where a text must stay as it is, in the value of a field, a template escapes it.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", value)


def line(said: str | None, room: int = 120) -> Markup:
    """The text in one line, cut to so many signs."""
    words = " ".join((said or "").split())
    return visible(words if len(words) <= room else words[: room - 1] + "…")


def parts(said: str | None) -> tuple[str, str, int]:
    """What of a text stands open, what is folded away, and how many signs are left out of the page."""
    text = said or ""
    ends = [found.end() for found in islice(re.finditer("\n", text), LINES)]
    tall = len(ends) == LINES
    if len(text) <= SHOWN * 5 // 4 and not tall:
        return text, "", 0
    cut = text.rfind(" ", SHOWN // 2, SHOWN)
    at = SHOWN if cut < 0 else cut + 1
    at = min(at, ends[-1]) if tall else at
    return text[:at], text[at:MOST], max(len(text) - MOST, 0)


def _marked(said: str) -> Markup:
    pieces, at = [], 0
    for found in _STACKED.finditer(said):
        pieces += [escape(said[at : found.start()]), _told(found[0])]
        at = found.end()
    return Markup("").join([*pieces, escape(said[at:])])


def _told(found: str) -> Markup:
    """A mark that says what stands there."""
    if len(found) > 1:
        name = f"{len(found)} marks over one letter, beyond the first {STACK}"
        return Markup('<span class="unseen" title="{}">+{}</span>').format(name, len(found))
    code, name = f"U+{ord(found):04X}", unicodedata.name(found, "a control or private sign")
    return Markup('<span class="unseen" title="{}">{}</span>').format(name, code)


_MARK = "[\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]"
_STACKED = re.compile(f"(?<={_MARK * STACK}){_MARK}{{2,}}|{UNSEEN.pattern}")
