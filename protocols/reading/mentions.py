"""The label of a reply that has no verdict line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.reading.labels import Found
from protocols.reading.quotations import Quotations

_NEGATED = re.compile(
    r"(?:\b(?:not|no|never|cannot|neither|nor|without|whether|if|than|instead[ \t]of)|n't)\b"
    r"(?:[ \t]+[\w']+){0,3}[ \t(\[\"“'*_`]*$",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(
    r"(?<![\w'])(?!(?:op|you|poster|author|user|writer|narrator)\b)\w{1,30}"
    r"(?:'s|[ \t]+(?:is|was|are|were))[ \t]+$",
    re.IGNORECASE,
)
_WINDOW = 60


@dataclass(frozen=True, slots=True)
class Mentioned:
    """`one` label, given by the writer; `several`, or one only denied; `none`, or none but quoted ones."""

    state: Literal["one", "several", "none"]
    found: Found | None = None


def mentioned(text: str, found: Sequence[Found], quoted: Quotations) -> Mentioned:
    """Look for the one distinct label among all that were `found` in `text`.

    Every label counts when it comes to being the only one. That one label must be said once in the writer's
    own name: neither quoted nor denied ("not NTA", "rather than NTA", "whether you're the asshole").
    """
    if len({mention.label for mention in found}) > 1:
        return Mentioned("several")
    own = [mention for mention in found if not _is_quoted(text, mention, quoted)]
    given = next((mention for mention in own if not _is_denied(text, mention)), None)
    if given:
        return Mentioned("one", given)
    return Mentioned("several" if own else "none")


def _is_quoted(text: str, mention: Found, quoted: Quotations) -> bool:
    """Quoted as part of more than itself; a reply wrapped in quotation marks as a whole is not quoted."""
    if quoted.in_line(mention.start):
        return True
    passage = quoted.passage(mention.start)
    if passage is None:
        return False
    start, end = passage
    whole = start < 6 and len(text) - end < 6
    return not whole and end - start > mention.end - mention.start + 8


def _is_denied(text: str, mention: Found) -> bool:
    before = text[max(0, mention.start - _WINDOW) : mention.start]
    named_other = mention.label == "NTA" and mention.end - mention.start > 6 and _OF_ANOTHER.search(before)
    return _NEGATED.search(before) is not None or bool(named_other)
