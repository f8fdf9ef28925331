"""The parts of a reply beside its label: what its crux is, what it concedes, how sure it is."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.answer_format import PartName
from protocols.reading.json_fields import own_trees
from protocols.reading.part_fields import part_fields
from protocols.reading.part_lines import Part, part_lines
from protocols.reading.quotations import quotations
from protocols.reading.reasoning import split_reasoning
from protocols.reading.remains import without
from protocols.reading.surface import Surface, encodable, surface

_LEVELS = {"low": 0.25, "medium": 0.5, "moderate": 0.5, "high": 0.75}
_MARKS = r"[\s*_`\"'“”()\[\]{}|:~≈=]*+"
_LEVEL = re.compile(
    rf"{_MARKS}(?:(?:i'm|i|am|it's|is|my|confidence|very|fairly|quite|rather|pretty|reasonably|still|now)\b"
    rf"{_MARKS})*+(?P<level>low|medium|moderate|high)(?:ly)?\b",
    re.IGNORECASE,
)
_OTHER_LEVEL = re.compile(
    rf"[\s*_`\"'()]*+(?:[-–—/,&|→]|(?:to|or|and)\b)>?{_MARKS}(?:low|medium|moderate|high)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    rf"{_MARKS}(?:(?:i'm|i|am|it's|is|my|p|probability|confidence|about|around|approximately|roughly|circa)\b"
    rf"{_MARKS})*+(?P<number>\d{{1,3}}(?:[.,]\d{{1,9}})?|\.\d{{1,9}})(?![.,]?\d)"
    r"(?:\s{0,3}(?P<percent>%|percent\b|per cent\b)|\s{0,3}(?:/|out of)\s{0,3}(?P<of>100|10|1)(?![.,]?\d))?",
    re.IGNORECASE,
)
_MORE_NUMBERS = re.compile(rf"{_MARKS}(?:[-–—/,]|(?:to|or|and)\b){_MARKS}[.\d]", re.IGNORECASE)
_LEAST_PERCENT = 11  # of a number without a sign; up to 10 it may be out of ten
_CHOICE = re.compile(
    r"\b(?:(?P<retain>retain|keep|maintain|stay|stick|stand by|hold)|(?P<adopt>adopt|switch))"
    r"(?:s|es|ed|ing)?\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?:\b(?:not|no|never|cannot|neither|nor|without|than|instead of|refuse to|decline to)|n't)"
    r"(?:\s{1,3}(?:to|simply|yet|just|be)){0,2}\s{1,3}$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"[\s*_`\"'“”()]*(?:[/|,&]|\b(?:or|and)\b)[\s*_`\"'“”()]*", re.IGNORECASE)
_WINDOW = 40
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that were `found`, "" where one is marked but empty, and the `rest` of the reply.

    Both are in the writer's own characters and can be encoded as UTF-8. The rest still has the answer line,
    unless that stands in the argument, and is "" where the whole reply is one JSON object.
    """

    found: dict[PartName, str]
    rest: str


def read_parts(text: str, names: Sequence[PartName]) -> Parts:
    """Read the parts `names` of a reply of any length and content; nothing is guessed and nothing raises.

    A member of a JSON object goes before a labelled line. Of a part given twice the last counts that is not
    empty, as of answer lines: it is what the writer ended with.
    """
    _, reply = split_reasoning(text)
    page = surface(reply)
    parts, spans = parts_of(page, tuple(names))
    return Parts(said(parts), encodable(without(page, spans)))


def parts_of(page: Surface, names: tuple[PartName, ...]) -> tuple[list[Part], list[tuple[int, int]]]:
    """Every part that is marked, the ones that count last, and the spans that all of them take."""
    quoted = quotations(page.text)
    trees = [(tree, part_fields(page, names, [tree])) for tree in own_trees(page.text, quoted)]
    fields = [part for _, parts in trees for part in parts]
    objects = [tree.span for tree, parts in trees if parts]
    lines = part_lines(page, names, quoted, objects)
    return [*lines, *fields], [*objects, *(part.span for part in lines)]


def said(parts: Sequence[Part]) -> dict[PartName, str]:
    """What each part says; one that is called by another word counts where none has the name."""
    named = {part.name for part in parts if part.own}
    found: dict[PartName, str] = {}
    for part in parts:
        if part.own or part.name not in named:
            found[part.name] = encodable(part.said) or found.get(part.name, "")
    return found


def stated_confidence(said: str) -> float | None:
    """The probability, from 0 to 1, that `said` begins with; None if it is none, or several.

    A level is taken for its probability: low 0.25, medium 0.5, high 0.75. What comes first counts, and
    whatever comment follows ("High (80%)" is 0.75). A number is a probability up to 1, with a sign a
    percentage or a share of 1, 10 or 100, without one a percentage from 11.
    """
    text = surface(said[:_LONGEST]).text
    if level := _LEVEL.match(text):
        return None if _OTHER_LEVEL.match(text, level.end()) else _LEVELS[level["level"].lower()]
    number = _NUMBER.match(text)
    if number is None or _MORE_NUMBERS.match(text, number.end()):
        return None
    value = float(number["number"].replace(",", "."))
    if number["percent"] or number["of"]:
        value /= float(number["of"] or 100)
    elif value >= _LEAST_PERCENT:
        value /= 100
    return value if value <= 1 else None


def stated_action(said: str) -> Literal["retain", "adopt"] | None:
    """What `said` says that its writer does with their answer; None if it says nothing or both.

    Of two that are not joined ("retain, as to adopt B would be wrong") the first counts; what is denied
    ("I do not adopt it") does not.
    """
    text = surface(said[:_LONGEST]).text
    found = [
        choice
        for choice in _CHOICE.finditer(text)
        if not _DENIED.search(text, max(0, choice.start() - _WINDOW), choice.start())
    ]
    if not found:
        return None
    first = found[0]
    second = next((choice for choice in found if choice.lastgroup != first.lastgroup), None)
    if second and _JOINED.fullmatch(text, first.end(), second.start()):
        return None
    return "retain" if first["retain"] else "adopt"
