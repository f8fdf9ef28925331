"""What a reply quotes, and so does not say itself: lines after `>` and passages in quotation marks."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_QUOTED_LINE = re.compile(r"^[ \t]*+>.*$", re.MULTILINE)
_PARAGRAPH = r"\n[ \t]*+(?=\n)"
_DOUBLE = re.compile(rf"(?P<mark>[\"“”„«»])|{_PARAGRAPH}")
_SINGLE = re.compile(r"(?P<mark>')|\n")


@dataclass(frozen=True, slots=True)
class Quotations:
    """Quoted spans (start, end), sorted and disjoint: whole lines, and passages with their marks."""

    lines: Sequence[tuple[int, int]]
    passages: Sequence[tuple[int, int]]

    def in_line(self, place: int) -> bool:
        """Whether `place` lies in a line quoted by `>`."""
        return span_around(self.lines, place) is not None

    def passage(self, place: int) -> tuple[int, int] | None:
        """The passage in quotation marks around `place`, if there is one."""
        return span_around(self.passages, place)

    def hold(self, place: int) -> bool:
        """Whether `place` is quoted in either way."""
        return self.in_line(place) or self.passage(place) is not None


def quotations(text: str) -> Quotations:
    """Find what `text` quotes.

    A mark opens where a word begins and closes where one ends, so inch marks and apostrophes do neither. A
    passage ends with its paragraph, between single marks with its line, for an apostrophe may look like one;
    a double mark that is never closed quotes the rest of its line.
    """
    lines = [found.span() for found in _QUOTED_LINE.finditer(text)] if ">" in text else []
    singles = _passages(text, _SINGLE, unclosed=False) if "'" in text else []
    return Quotations(lines, _disjoint(_passages(text, _DOUBLE, unclosed=True) + singles))


def _passages(text: str, events: re.Pattern[str], unclosed: bool) -> list[tuple[int, int]]:
    """What stands between marks of one kind; an `unclosed` one counts to the end of its line."""
    spans: list[tuple[int, int]] = []
    opened: int | None = None
    for event in events.finditer(text):
        place = event.start()
        if event["mark"] is None:
            spans += _rest_of_line(text, opened, place, unclosed)
            opened = None
        elif opened is not None and _closes(text, place):
            spans.append((opened, place + 1))
            opened = None
        elif _opens(text, place):
            spans += _rest_of_line(text, opened, place, unclosed)
            opened = place
    return spans + _rest_of_line(text, opened, len(text), unclosed)


def _rest_of_line(text: str, opened: int | None, stop: int, unclosed: bool) -> list[tuple[int, int]]:
    if opened is None or not unclosed:
        return []
    end = text.find("\n", opened, stop)
    return [(opened, stop if end < 0 else end)]


def _opens(text: str, place: int) -> bool:
    before, after = text[place - 1 : place] if place else "", text[place + 1 : place + 2]
    return not before.isalnum() and after != "" and not after.isspace()


def _closes(text: str, place: int) -> bool:
    return not text[place - 1].isspace() and not text[place + 1 : place + 2].isalnum()


def _disjoint(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def span_around(spans: Sequence[tuple[int, int]], place: int) -> tuple[int, int] | None:
    """The one of the sorted, disjoint `spans` that holds `place`, if any does."""
    index = bisect_right(spans, (place, len(spans) and spans[-1][1])) - 1
    return spans[index] if index >= 0 and spans[index][0] <= place < spans[index][1] else None
