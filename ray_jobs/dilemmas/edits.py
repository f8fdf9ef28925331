"""Edits, updates and summaries, by the words with which the authors of posts begin them."""

from __future__ import annotations

import re
from collections.abc import Iterable

MARKS = ("edit", "updat", "eta", "dr", "l.d", "summary", "too long", "verdict", "judg")
"""One of these stands, in any case, in whatever is cut; some texts have none."""

_SIGNS = r"(?:[^\w\n\"'“‘]|_)*"
_NUMBER = r"(?:#?\d+|one|two|three|four)?"
_DAY = r"(?:\d{1,4}[/.-]\d{1,2}(?:[/.-]\d{2,4})?\W{1,3})?"
_WHICH = (
    r"(?i:(?:(?:an?|first|second|third|final|last|latest|late|new|small|little|quick|mini|big|major|minor"
    r"|important|obligatory|another|one more|one last|ps|p\.s\.?|\d+(?:st|nd|rd|th))[\s-]+){0,3}"
    r"(?:(?:\w+ )?\w+ ?[/&+] ?)?)"
)
_BEFORE = rf"{_SIGNS}{_DAY}{_WHICH}"
_WORDS = r"(?:edit(?:ed|ing)?|updat(?:ed?|es|ing)|eta)"
_AFTER = rf"(?:\s*{_NUMBER}[*_)\]]*\s*(?:[,:;/\])(–—…-]|\.\.|$)|\s+(?:to|for|\d+)\b)"
_EDIT = re.compile(
    rf"^{_BEFORE}(?:(?:EDIT(?:ED|ING)?|UPDATE[DS]?)(?![A-Za-z])|Edit(?![A-Za-z])"
    r"|ETA\b(?!\s+(?:is|was|of|at|on|time)\b)|Update(?=\s+[A-Z])"
    r"|(?:Edited|Editing|Update|Updating)\s+(?:on|because|since|due|as|after|from)\b"
    rf"|(?i:{_WORDS}{_AFTER})|(?i:(?:verdict|judge?ment)[\s*_]*:))"
)
_EDIT_WITHIN = re.compile(
    r"(?<=[\s.!?)*])[*_]*(?:"
    r"(?:EDIT(?:ED)?|UPDATED?|ETA)\s*#?\d*[*_]*\s*[:–—-]"
    r"|EDIT(?:ED)?[*_]*\s+(?=I\b|[A-Z][a-z']))"
    r"|(?<=[.!?)*]\s)[*_]*(?i:edit(?:ed)?|updated?|eta)\s*#?\d*[*_]*\s*:"
    r"|(?<=\s)(?<!\ba\s)(?<!\ban\s)(?<!\bone\s)(?<!\bthe\s)(?i:edit(?:ed)?)\s*#?\d*\s*:"
)
_EDIT_IN_BRACKETS = re.compile(r"[ ]?[(\[]\s*(?:edit(?:ed)?|updated?|eta)\b[^)\]]*[)\]]", re.IGNORECASE)
_TLDR = r"\bT\W{0,2}L\W{0,2}D\W{0,2}R\b"
_SUMMARY = re.compile(rf"^\W*(?:{_TLDR}|too long,?;?\s*didn'?t read|summary\s*[:*])", re.IGNORECASE)
_SUMMARY_WITHIN = re.compile(
    rf"(?:(?<=[.!?)\]*_\"”]\s)|(?<=[.!?]))[\[(*_]*{_TLDR}|(?<!\ba\s)(?<!\bthe\s)[\[(*_]*{_TLDR}[*_]*\s*[:–—-]",
    re.IGNORECASE,
)
_HEADING = re.compile(rf"^{_BEFORE}(?:{_WORDS}|{_TLDR}|summary)\s*#?\d*\W*$", re.IGNORECASE)

PARAGRAPHS = re.compile(rf"\n[ \t]*\n|\n(?={_BEFORE}(?:edit|updat|eta|verdict|judg|{_TLDR}))", re.IGNORECASE)
"""What lies between paragraphs: an empty line, or a line break before what may be the mark of an edit."""


def is_marked(typed: str) -> bool:
    """Whether anything in a text may have to be cut, which is quickly seen."""
    lowered = typed.lower()
    return any(mark in lowered for mark in MARKS)


def unmarked(paragraphs: Iterable[str]) -> list[str]:
    """The paragraphs without edits and all that follows them, and without summaries."""
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
