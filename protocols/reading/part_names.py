"""The names of the parts of a reply, as writers vary them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from protocols.answer_format import PartName
from protocols.reading.marks import CLOSING, TAG

_OF = r"(?:[ \t_-]{1,3}(?:of|in|for|with|to|on|behind)(?:[ \t_-]{1,3}[^\W_]{1,12}){1,3})?"
_NAMES: dict[PartName, str] = {
    "reasoning": (
        r"(?:(?:private|internal|hidden|own|secret)[ \t_-]{1,3})?(?:reasoning|thinking|scratch-?pad)"
        r"|(?:private|internal|hidden|secret)[ \t_-]{1,3}(?:thoughts?|notes?|analysis)"
    ),
    "crux": rf"(?:(?:key|main|central)[ \t_-]{{1,3}})?crux(?:es)?{_OF}",
    "concession": rf"concessions?{_OF}",
    "confidence": rf"confidence(?:[ \t_-]{{1,3}}(?:level|score|rating))?{_OF}",
    "action": r"action(?:[ \t_-]{1,3}taken)?",
    "argument": rf"(?:(?:public|main|final|full)[ \t_-]{{1,3}})?arguments?{_OF}",
}
_ALIASES: dict[PartName, str] = {"argument": "explanation|justification|rationale"}
_ARTICLE = r"(?:(?:my|our|the|your)[ \t_-]{1,3})?"
_ANSWER = r"(?:(?:current|final|own|new|updated|revised|overall)[ \t_-]{1,3})?(?:verdict|answer|winner)"
_LEAD = rf"(?:{TAG}|\(?\d{{1,2}}[.):]|[^\w\n\"'“”„«»/~>]|_)*+"
_MARK = (
    rf"{CLOSING}(?:\([^()\n]{{0,60}}\){CLOSING})?"
    r"(?P<mark>[:=|]|→|⇒|->|=>|[–—]|(?<=[ \t])-(?=\s)|\n|\Z|(?P<is>\b(?:is|remains)\b))"
)


@lru_cache(maxsize=64)
def marker(names: tuple[PartName, ...]) -> re.Pattern[str]:
    """The pattern of what begins a part or answer line: a name that opens a line, or is a tag's.

    Its groups are `name` and `mark`, or `tag`.
    """
    known = [_NAMES[name] for name in names] + [_ALIASES[name] for name in names if name in _ALIASES]
    name = rf"{_ARTICLE}(?:{'|'.join([*known, _ANSWER])})(?![^\W_])"
    return re.compile(
        rf"(?:^[ \t]*+|</\w{{1,20}}>[ \t]{{0,4}})<(?P<tag>{name})>|^{_LEAD}(?P<name>{name}){_MARK}",
        re.IGNORECASE | re.MULTILINE,
    )


def part_named(word: str, names: Sequence[PartName]) -> tuple[PartName, bool] | None:
    """The one of `names` that `word` means, and whether it is called so itself, not by an alias."""
    for forms, own in ((_NAMES, True), (_ALIASES, False)):
        for name in names:
            if name in forms and _whole(forms[name]).fullmatch(word.strip()):
                return name, own
    return None


@lru_cache(maxsize=64)
def _whole(form: str) -> re.Pattern[str]:
    return re.compile(rf"{_ARTICLE}(?:{form})", re.IGNORECASE)
