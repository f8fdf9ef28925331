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
_TLDR = r"\bT\.?L\W{0,2}D\.?R\b"
_SUMMARY = re.compile(rf"^\W*(?:{_TLDR}|too long,?;?\s*didn'?t read|summary\s*[:*])", re.IGNORECASE)
_SUMMARY_WITHIN = re.compile(
    rf"(?:(?<=[.!?)\]*_\"”]\s)|(?<=[.!?]))[\[(*_]*{_TLDR}|(?<!\ba\s)(?<!\bthe\s)[\[(*_]*{_TLDR}[*_]*\s*[:–—-]",
    re.IGNORECASE,
)
_MAY_BE_EDIT = re.compile(r"edit|updat|eta[\W\d_]")
_MAY_BE_SUMMARY = re.compile(r"t\.?l\W{0,2}d\.?r")
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
        paragraph, is_last = _first_part(paragraph)
        kept.append(paragraph)
        if is_last:
            break
    return kept


def _first_part(paragraph: str) -> tuple[str, bool]:
    """A paragraph up to a summary or an edit within it, and whether there is such an edit."""
    lowered, edit = paragraph.lower(), None
    if _MAY_BE_EDIT.search(lowered):
        paragraph = _EDIT_IN_BRACKETS.sub("", paragraph)
        edit = _EDIT_WITHIN.search(paragraph)
        paragraph = paragraph[: edit.start()] if edit else paragraph
    if _MAY_BE_SUMMARY.search(lowered) and (summary := _SUMMARY_WITHIN.search(paragraph)):
        paragraph = paragraph[: summary.start()]
    return paragraph, edit is not None
