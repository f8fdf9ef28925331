"""JSON objects in a reply, read as leniently as their members stay certain.

Beside JSON this takes prose and fences around an object, other quotation marks, unquoted keys and words,
trailing or missing commas, quotation marks inside a string that were not escaped, and an object that was cut.
The scan never goes back, so it is linear and nesting costs no recursion.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

_KEY = re.compile(
    r"\s*+(?:[\"'“”„`](?P<quoted>[^\"'“”„`\\\n]{1,60})[\"'“”„`]|(?P<bare>[^\W\d]\w{0,40}))\s*+:\s*+"
)
_START = re.compile(rf"\{{(?={_KEY.pattern})".replace("?P<quoted>", "?:").replace("?P<bare>", "?:"))
_LIST = re.compile(r"\[(?=\s*+[\"'“”„]|\])")
_NEXT_KEY = r"[\"'“”„`][^\"'“”„`\\\n]{1,60}[\"'“”„`]\s*+:"
_CUT_KEY = r"[\"'“”„`][^\"'“”„`\\\n]{0,60}[\"'“”„`]?\s*+\Z"
_AFTER_MEMBER = re.compile(rf"\s*+(?:,?\s*+(?:[}}\]]|{_NEXT_KEY})|,?\s*+\Z|,\s*+{_CUT_KEY})")
_AFTER_ELEMENT = re.compile(r"\s*+(?:[,\]}]|\Z)")
_MARKS = {
    '"': re.compile(r'\\.|"', re.DOTALL),
    "'": re.compile(r"\\.|'", re.DOTALL),
    "“": re.compile(r"\\.|[”“\"]", re.DOTALL),
    "”": re.compile(r"\\.|[”\"]", re.DOTALL),
    "„": re.compile(r"\\.|[“”\"]", re.DOTALL),
}
_WORD = re.compile(r"[^\s,{}\[\]\"“”]++")
_SPACE = re.compile(r"\s*+")
_NOT_TEXT = re.compile(r"true|false|[-+]?\d.*", re.IGNORECASE)

Kind = Literal["text", "null", "other", "cut"]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object; `span` is where its text stands, escapes and all. A `cut` one has no end."""

    key: str
    kind: Kind
    span: tuple[int, int]


@dataclass(slots=True)
class JsonObject:
    """An object with its members in order (a key may repeat) and its depth below the outermost brace."""

    depth: int
    members: list[Member] = field(default_factory=list)


@dataclass(slots=True)
class JsonArray:
    """An array with its elements in order; what is itself an object or array is one of kind "other"."""

    elements: list[Member] = field(default_factory=list)
    closed: bool = False


@dataclass(frozen=True, slots=True)
class JsonTree:
    """An outermost object or array of a text, its span, its objects, outermost first, its arrays by place.

    The member whose value is an array is of kind "other", and its span begins where the array does.
    """

    span: tuple[int, int]
    objects: list[JsonObject]
    arrays: dict[int, JsonArray] = field(default_factory=dict)


def json_trees(text: str) -> Iterator[JsonTree]:
    """The outermost objects of `text` in order; a brace that no key follows begins none."""
    place = 0
    while start := _START.search(text, place):
        tree = _tree(text, start.start())
        yield tree
        place = max(tree.span[1], start.end())


def json_lists(text: str, start: int) -> Iterator[JsonTree]:
    """The outermost array at `start`, and those after it that begin with a string or are empty."""
    place: int | None = start
    while place is not None:
        tree = _tree(text, place)
        yield tree
        begun = _LIST.search(text, tree.span[1])
        place = begun.start() if begun else None


def _tree(text: str, start: int) -> JsonTree:
    objects: list[JsonObject] = []
    arrays: dict[int, JsonArray] = {}
    open_: list[JsonObject | JsonArray] = []
    place = start
    while place < len(text):
        mark = text[place]
        if mark in "{[":
            if open_ and isinstance(open_[-1], JsonArray):
                open_[-1].elements.append(Member("", "other", (place, place)))
            open_.append(JsonObject(len(open_)) if mark == "{" else arrays.setdefault(place, JsonArray()))
            objects += [inner for inner in open_[-1:] if isinstance(inner, JsonObject)]
            place += 1
        elif mark in "}]":
            _close(open_.pop(), mark)
            place += 1
            if not open_:
                break
        elif mark == ",":
            place += 1
        elif isinstance(inner := open_[-1], JsonArray):
            element, place = _value(text, place, "", _AFTER_ELEMENT)
            inner.elements.append(element)
        elif key := _KEY.match(text, place):
            member, place = _value(text, key.end(), key["quoted"] or key["bare"], _AFTER_MEMBER)
            inner.members.append(member)
        else:
            break
        place = _skip_space(text, place)
    return JsonTree((start, place), objects, arrays)


def _close(ended: JsonObject | JsonArray, mark: str) -> None:
    if isinstance(ended, JsonArray):
        ended.closed = mark == "]"


def _value(text: str, place: int, key: str, after: re.Pattern[str]) -> tuple[Member, int]:
    """The value at `place` and where to go on: behind a string or word, at a brace or bracket."""
    mark = text[place : place + 1]
    if mark in _MARKS:
        for end in _MARKS[mark].finditer(text, place + 1):
            if not end[0].startswith("\\") and after.match(text, end.end()):
                return Member(key, "text", (place + 1, end.start())), end.end()
        return Member(key, "cut", (place + 1, len(text))), len(text)
    word = _WORD.match(text, place)
    end_of_word = word.end() if word else place
    return Member(key, _kind(text, place, end_of_word), (place, end_of_word)), max(end_of_word, place)


def _kind(text: str, start: int, end: int) -> Kind:
    word = text[start:end]
    if word.casefold() in ("null", "none"):
        return "null"
    if not word:
        return "other" if start < len(text) else "cut"
    if end == len(text):
        return "cut"
    return "other" if _NOT_TEXT.fullmatch(word) else "text"


def _skip_space(text: str, place: int) -> int:
    space = _SPACE.match(text, place)
    return space.end() if space else place
