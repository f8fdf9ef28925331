"""The text of a post as its first readers saw it, without what gives the verdict or a name away."""

from __future__ import annotations

import html
import re

SOMEONE = "[someone]"
MARKS = ("edit", "updat", "eta", "dr", "summary", "too long")
"""One of these stands, in any case, in whatever is cut; most texts have none."""

_MARKS = r"[\s*_#>~\[(-]*"
_FIRST = r"(?i:(?:an?|first|second|third|final|last|small|quick|mini|big|another)\s+)?"
_STARTS = r"(?:\s*#?\d*[*_]*\s*(?:[:\])–—-]|$)|\s+(?:to|for|\d+)\b)"
_EDIT = re.compile(rf"^{_MARKS}{_FIRST}(?:EDIT(?:ED)?\b|UPDATED?\b|(?i:edit(?:ed)?|updated?|eta){_STARTS})")
_EDIT_WITHIN = re.compile(
    r"(?<=[\s.!?)*])[*_]*(?:EDIT(?:ED)?|UPDATED?|ETA)\s*#?\d*[*_]*\s*[:–—-]"
    r"|(?<=[.!?)*]\s)[*_]*(?i:edit(?:ed)?|updated?|eta)\s*#?\d*[*_]*\s*:"
)
_EDIT_IN_BRACKETS = re.compile(r"[ ]?[(\[]\s*(?:edit(?:ed)?|updated?|eta)\b[^)\]]*[)\]]", re.IGNORECASE)
_SUMMARY = re.compile(r"^\W*(?:TL\W{0,2}DR\b|too long,?;?\s*didn'?t read|summary\s*[:*])", re.IGNORECASE)
_SUMMARY_WITHIN = re.compile(r"[\[(*_]*\bTL\W{0,2}DR\b", re.IGNORECASE)
_HEADING = re.compile(
    rf"^\W*{_FIRST}(?:edit(?:ed)?|updated?|eta|TL\W{{0,2}}DR|summary)\s*#?\d*\W*$", re.IGNORECASE
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*[*_#>\[(]*(?:edit|update|eta|tl\W{0,2}dr)\b)", re.IGNORECASE)
_MENTION = re.compile(r"/?(?<![A-Za-z0-9_])(?:u(?:ser)?/|r/u_)(?:[A-Za-z0-9-]|\\?_)+", re.IGNORECASE)
_EMPTY = re.compile(r"&#x200b;|&nbsp;|[\u200b\ufeff\u2060]", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n\s*\n\s*")
_A_WORD = re.compile(r"[A-Z]?[a-z]*")


def plain(written: str) -> str:
    """A text as its author typed it, without what shows as nothing: dumps have `&`, `<` and `>` as HTML."""
    return _EMPTY.sub(" ", html.unescape(written)).replace("\r\n", "\n").strip()


def first_version(typed: str) -> str:
    """The text without edits, updates and summaries.

    A summary goes with its paragraph. An edit goes with everything after it, for what it adds has no mark
    at its end; before the story has begun, with its paragraph alone. A heading takes the next one along.
    """
    paragraphs = [paragraph for paragraph in _PARAGRAPHS.split(typed) if paragraph.strip()]
    lowered = typed.lower()
    if any(mark in lowered for mark in MARKS):
        paragraphs = _unmarked(paragraphs)
    return "\n\n".join(filter(None, (paragraph.strip() for paragraph in paragraphs)))


def without_names(typed: str, author: str) -> str:
    """The text with every mention of an account, and the author's own name, as `[someone]`.

    An author whose name is a plain word, such as "mother", is not looked for: the word would go, not the
    name.
    """
    anonymous = _MENTION.sub(SOMEONE, typed)
    unescaped = anonymous.lower().replace("\\_", "_")
    if len(author) < 3 or _A_WORD.fullmatch(author) or author.lower() not in unescaped:
        return anonymous
    name = re.escape(author).replace("_", r"\\?_")
    return re.sub(rf"(?<!\w){name}(?!\w)", SOMEONE, anonymous, flags=re.IGNORECASE)


def _unmarked(paragraphs: list[str]) -> list[str]:
    kept: list[str] = []
    drop_next = False
    for paragraph in paragraphs:
        if drop_next:
            drop_next = False
            continue
        is_edit = _EDIT.match(paragraph) is not None
        if is_edit and kept:
            break
        if is_edit or _SUMMARY.match(paragraph):
            drop_next = _HEADING.match(paragraph) is not None
            continue
        paragraph = _EDIT_IN_BRACKETS.sub("", paragraph)
        if edit := _EDIT_WITHIN.search(paragraph):
            kept.append(_without_summary(paragraph[: edit.start()]))
            break
        kept.append(_without_summary(paragraph))
    return kept


def _without_summary(paragraph: str) -> str:
    summary = _SUMMARY_WITHIN.search(paragraph)
    return paragraph[: summary.start()] if summary else paragraph
