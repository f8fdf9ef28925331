"""The text of a post as its first readers saw it, without what gives the verdict or a name away."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from ray_jobs.dilemmas.edits import PARAGRAPHS, is_marked, unmarked

SOMEONE = "[someone]"

_MENTION = re.compile(r"/?(?<![A-Za-z0-9_])(?:u(?:ser)?/|r/u_)((?:[A-Za-z0-9-]|\\?_)+)", re.IGNORECASE)
_EMPTY = re.compile(
    r"&#x200b;|&nbsp;|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]",
    re.IGNORECASE,
)
_A_WORD = re.compile(r"[A-Z]?[a-z]*")


def plain(written: str) -> str:
    """A text as its author typed it, without what shows as nothing: dumps have `&`, `<` and `>` as HTML."""
    typed = html.unescape(written).replace("\r\n", "\n").replace("\r", "\n")
    return _EMPTY.sub(" ", typed).strip()


def first_version(typed: str) -> str:
    """The text without edits, updates and summaries.

    A summary goes with its paragraph. An edit goes with everything after it, for what it adds has no mark
    at its end; before the story has begun, with its paragraph alone. A heading takes the next one along.
    """
    paragraphs = [paragraph for paragraph in PARAGRAPHS.split(typed) if paragraph.strip()]
    if is_marked(typed):
        paragraphs = unmarked(paragraphs)
    return "\n\n".join(filter(None, (paragraph.strip() for paragraph in paragraphs)))


def names_in(author: str, *typed: str) -> frozenset[str]:
    """The name of an author, and those of accounts that are mentioned in their texts."""
    mentioned = (match[1].replace("\\_", "_") for text in typed for match in _MENTION.finditer(text))
    return frozenset({author, *mentioned})


def without_names(typed: str, names: Iterable[str]) -> str:
    """The text with every mention of an account, and each of these `names`, as `[someone]`.

    A name that is a plain word, such as "mother", is not looked for: the word would go, not the name.
    """
    anonymous = _MENTION.sub(SOMEONE, typed)
    unescaped = anonymous.lower().replace("\\_", "_")
    for name in sorted(names, key=len, reverse=True):
        if len(name) >= 3 and not _A_WORD.fullmatch(name) and name.lower() in unescaped:
            escaped = re.escape(name).replace("_", r"\\?_")
            anonymous = re.sub(rf"(?<!\w){escaped}(?!\w)", SOMEONE, anonymous, flags=re.IGNORECASE)
    return anonymous
