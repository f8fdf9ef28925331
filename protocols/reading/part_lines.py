"""The labelled lines and headings of a reply, each with the text that belongs to it."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocols.answer_format import PartName
from protocols.reading.part_names import marker, part_named
from protocols.reading.quotations import Quotations, span_around
from protocols.reading.surface import Surface

_CLOSING_TAG = re.compile(r"</(\w{1,30})>")
_PARAGRAPH_END = re.compile(r"\n[ \t]*+\n")
_BLANK = re.compile(r"[\s*_`]*+")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|\|[ \t:|-]+)?\s*")
_FENCE = "```"
_LONG: tuple[PartName, ...] = ("reasoning", "argument")
_SHORT: tuple[PartName, ...] = ("confidence", "action")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a reply: the span it takes, its own mark included, and what it says.

    It is `own` if it is called by its name and not by another word for it.
    """

    name: PartName
    own: bool
    span: tuple[int, int]
    said: str


@dataclass(frozen=True, slots=True)
class _Mark:
    """What begins a part; `name` is None for an answer line, which only ends the part before it."""

    name: PartName | None
    own: bool
    start: int
    end: int
    tag: str | None
    row: bool


def part_lines(
    page: Surface, names: tuple[PartName, ...], quoted: Quotations, objects: Sequence[tuple[int, int]]
) -> list[Part]:
    """The parts that labelled lines begin, in order, outside quotations and outside the JSON `objects`.

    A part in a tag reaches to the tag's end. Else reasoning and argument reach to the next part, across
    answer lines with text behind them; confidence and action are one line; crux and concession reach to the
    next part or answer line, where there is none to the end of their paragraph. Another word for a part
    begins one only where none is called by its name.
    """
    marks = _marks(page.text, names, quoted, objects)
    closings: dict[str, list[int]] = defaultdict(list)
    for closing in _CLOSING_TAG.finditer(page.text):
        closings[closing[1].casefold()].append(closing.start())
    parts: list[Part] = []
    done = 0
    for place, mark in enumerate(marks):
        if mark.name is None or mark.start < done:
            continue
        stop = _closing(mark, closings)
        done = stop + len(f"</{mark.tag}>") if stop else 0
        stop = stop or _reach(page.text, marks, place)
        done = done or stop
        parts.append(Part(mark.name, mark.own, (mark.start, done), _said(page, mark, stop)))
    return parts


def _marks(
    text: str, names: tuple[PartName, ...], quoted: Quotations, objects: Sequence[tuple[int, int]]
) -> list[_Mark]:
    marks = []
    for found in marker(names).finditer(text):
        word = found["tag"] or found["name"]
        place = found.start("tag" if found["tag"] else "name")
        part = part_named(word, names)
        if (part and found["is"]) or _is_quoted(text, place, quoted) or span_around(objects, place):
            continue
        start = place - 1 if found["tag"] else found.start()
        name, own = part or (None, False)
        marks.append(_Mark(name, own, start, found.end(), found["tag"], found["mark"] == "|"))
    named = {mark.name for mark in marks if mark.own}
    return [mark for mark in marks if mark.own or mark.name not in named]


def _is_quoted(text: str, place: int, quoted: Quotations) -> bool:
    """Whether a line stands in a quotation that does not hold the whole reply; an apostrophe opens none."""
    passage = quoted.passage(place)
    if passage is None or text[passage[0]] == "'":
        return quoted.in_line(place)
    return passage[0] >= 6 or len(text) - passage[1] >= 6


def _closing(mark: _Mark, closings: Mapping[str, Sequence[int]]) -> int | None:
    """Where the tag ends that a part stands in."""
    places = closings.get(mark.tag.casefold(), ()) if mark.tag else ()
    index = bisect_left(places, mark.end)
    return places[index] if index < len(places) else None


def _reach(text: str, marks: Sequence[_Mark], place: int) -> int:
    """Where the part ends that the mark at `place` begins."""
    mark = marks[place]
    following = place + 1
    while mark.name in _LONG and _is_crossed(text, marks, following):
        following += 1
    limit = marks[following].start if following < len(marks) else len(text)
    begun = _BLANK.match(text, mark.end, limit)
    begin = begun.end() if begun else mark.end
    if mark.name in _SHORT:
        end = text.find("\n", begin, limit)
        return limit if end < 0 else end
    if mark.name in _LONG or following < len(marks) or "\n" in text[mark.end - 1 : begin]:
        return limit
    paragraph = _PARAGRAPH_END.search(text, begin)
    return paragraph.start() if paragraph else limit


def _is_crossed(text: str, marks: Sequence[_Mark], place: int) -> bool:
    """Whether an answer line has more of the same part behind it."""
    if place >= len(marks) or marks[place].name is not None:
        return False
    limit = marks[place + 1].start if place + 1 < len(marks) else len(text)
    begun = _BLANK.match(text, marks[place].end, limit)
    line_end = text.find("\n", begun.end() if begun else 0, limit)
    return line_end >= 0 and not _RULE.fullmatch(text, line_end, limit)


def _said(page: Surface, mark: _Mark, stop: int) -> str:
    """The writer's text of a part without what is left of the marks around it."""
    said = page.written(mark.end, stop)
    head = page.written(mark.start, mark.end)
    for sign in ("**", "__", "`"):
        said = said.replace(sign, "", head.count(sign) % 2)
    lines = said.strip().split("\n")
    if mark.row:
        lines = [line.rstrip().removesuffix("|").rstrip() for line in lines if not _RULE.fullmatch(line)]
    fenced = said.count(_FENCE) % 2 == 1
    while lines and (_RULE.fullmatch(lines[-1]) or (fenced and lines[-1].strip() == _FENCE)):
        fenced = fenced and lines[-1].strip() != _FENCE
        lines.pop()
    return "\n".join(lines).strip()
