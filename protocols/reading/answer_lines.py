"""The line on which a reply states its own verdict or answer, and the label that follows."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.answer_format import Field
from protocols.reading.labels import Found, Labels
from protocols.reading.marks import BULLET, CLOSING, LATEX, OPENING, TAG, run
from protocols.reading.quotations import Quotations, span_around

_PHRASE = re.compile(
    r"(?=[abcfmnortuv])(?<![^\W_])(?:(?:my|our|the)[ \t_-]{1,3})?"
    r"(?:(?:current|final|own|new|updated|revised|overall|correct|best|right)[ \t_-]{1,3})?"
    r"(?:verdict|answer)(?![^\W_])",
    re.IGNORECASE,
)
_WINNER = re.compile(
    r"(?=[cdfmotw])(?<![^\W_])(?:(?:my|our|the)[ \t_-]{1,3})?"
    r"(?:(?:final|overall|clear|debate|chosen)[ \t_-]{1,3})?winner(?![^\W_])"
    r"(?:[ \t]{1,3}(?:of|in)[ \t]{1,3}(?:the|this)[ \t]{1,3}(?:debate|exchange|discussion)(?![^\W_]))?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(
    rf"{CLOSING}(?:\([^()\n]{{0,60}}\){CLOSING})?"
    r"(?P<mark>[:=|]|→|⇒|->|=>|(?<=>)|[–—]|(?<=[ \t])-(?=\s)"
    r"|\b(?:is|remains|stays|would[ \t]be)\b(?:[ \t]+(?:still|now|therefore|thus|then|clearly|that)\b)?"
    r"[ \t]*:?|\n)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    rf"(?:{LATEX}|{TAG}|\(?\d{{1,2}}[.):]|[^\w\n\"'“”„«»/~>]|_)*+"
    r"(?:(?:so|thus|therefore|hence|overall|finally|ultimately|in[ \t](?:conclusion|summary))\b,?[\s*_]*)?",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?…][)\]\"”'*_`]*\s|。")
_OPTION_WORD = re.compile(rf"{OPENING}(?:(?:option|choice|letter)[ \t]++{OPENING})?", re.IGNORECASE)
_JOINED = (
    r"/|\\(?![a-z(\[])|[&+,;:|=~]|→|⇒|➡|↔|[–—]|-(?=\s)"
    r"|\b(?:and|or|vs\.?|versus|nor|to|but|then|und|oder|et|ou)\b|(?-i:\b[eoyи]\b)(?=\s)|和|或|与"
)
_HEDGE = r"\b(?:maybe|possibly|perhaps|probably|even|else|rather|also|at[ \t]least)\b"
_MARK = rf"(?:{LATEX}|\\[()\[\]]|{BULLET}|[ \t*_`\"“”«»'()\[\]{{}}$<>])"
_LINK = re.compile(run(rf"(?:{_JOINED}|<?[-=]+>)\s*+|{_MARK}|{_HEDGE}", TAG), re.IGNORECASE)
_DANGLING = re.compile(rf"(?:{_JOINED}|[-=]>)\s*\Z", re.IGNORECASE)
_SENTENCE_OR_LINE_END = re.compile(rf"{_SENTENCE_END.pattern}|\n")
_WINDOW = 160


def phrase(field: Field) -> re.Pattern[str]:
    """What names the label of a reply: "verdict" or "answer", but "winner" where that is asked for."""
    return _WINNER if field == "winner" else _PHRASE


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """An own verdict line, from its first mark to the end of its label, and what it says.

    Its label belongs at `value`. A `loose` line only speaks of the verdict ("the answer is simple") and
    counts only as long as no other does.
    """

    start: int
    value: int
    end: int
    state: Literal["label", "several", "none"]
    label: str | None
    loose: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """What stands where a label is expected; `dangling` if the text ends while it joins another."""

    state: Literal["label", "several", "none"]
    label: str | None
    end: int
    dangling: bool = False


def label_after(text: str, place: int, labels: Labels) -> Statement:
    """Read the label right after `place`, past marks and line ends, and whether another is joined to it."""
    first = _label_past_marks(text, place, labels)
    if first is None:
        return Statement("none", None, place)
    last = first
    while True:
        linked = _end(_LINK, text, last.end)
        following = labels.at(text, linked) if linked > last.end else None
        if following is None:
            dangling = linked == len(text) and _DANGLING.search(text, last.end) is not None
            return Statement("label", first.label, last.end, dangling)
        if following.label != first.label and labels.comment(text, last, following):
            return Statement("label", first.label, last.end)
        if following.label != first.label:
            return Statement("several", None, following.end)
        last = following


def answer_lines(
    text: str,
    labels: Labels,
    mentions: Sequence[Found],
    quoted: Quotations,
    objects: Sequence[tuple[int, int]],
) -> Iterator[AnswerLine]:
    """The own verdict lines of `text` in order, outside quotations and outside the JSON `objects` (spans).

    `mentions` are all labels that stand anywhere in `text`.
    """
    mentioned = [mention.start for mention in mentions]
    for named in phrase(labels.field).finditer(text):
        start = _line_start(text, named.start())
        separator = _SEPARATOR.match(text, named.end())
        if start is None or separator is None or quoted.hold(named.start()):
            continue
        if span_around(objects, named.start()) or not _fits(text, named, separator):
            continue
        line = _line(text, start, separator, labels, mentioned)
        if line.state != "none" or separator["mark"] != "|":
            yield line


def _line(
    text: str, start: int, separator: re.Match[str], labels: Labels, mentioned: Sequence[int]
) -> AnswerLine:
    place = separator.end()
    stated = label_after(text, place, labels)
    loose = stated.state == "none" and separator["mark"].strip()[-1:] != ":"
    if loose:
        said = _end(_OPTION_WORD, text, place)
        loose = bisect_left(mentioned, said) == bisect_left(mentioned, _sentence_end(text, said))
    return AnswerLine(start, place, stated.end, stated.state, stated.label, loose)


def _fits(text: str, named: re.Match[str], separator: re.Match[str]) -> bool:
    """A tag's end separates only if the phrase is the tag's name."""
    return separator["mark"] != "" or (text[named.start() - 1] == "<" and text[named.end()] == ">")


def _label_past_marks(text: str, place: int, labels: Labels) -> Found | None:
    return labels.at(text, _end(_OPTION_WORD, text, place))


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    """Where a match of `pattern` that begins at `place` ends; `place` itself if there is none."""
    found = pattern.match(text, place)
    return found.end() if found else place


def _line_start(text: str, place: int) -> int | None:
    """Where the marks before a phrase begin, if it opens a line or a sentence; None if it does not."""
    window = max(0, place - _WINDOW)
    line = text.rfind("\n", window, place) + 1
    ends = [end.end() for end in _SENTENCE_END.finditer(text, line or window, place)]
    begin = ends[-1] if ends else line
    if begin == 0 and window > 0:
        return None
    return begin if _LEAD.fullmatch(text, begin, place) else None


def _sentence_end(text: str, place: int) -> int:
    limit = min(len(text), place + 2 * _WINDOW)
    end = _SENTENCE_OR_LINE_END.search(text, place, limit)
    return end.start() if end else limit
