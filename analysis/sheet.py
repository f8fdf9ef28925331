"""A table as lines of text that fit any page: nothing in it is ever cut off or left out.

Where a page is too narrow for labels beside the figures, each label stands on a line of its own above
its rows; where it is too narrow for all figures, the table goes on below with those left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

GAP = 2
"""Spaces between two columns, and before a name below a label."""

NAME = 11
"""Characters of a line that names may take on any page; on a wide one, a third of it."""

Named = tuple[str, Sequence[Text]]
"""The name of a row and its figures; each may have several lines."""


@dataclass(slots=True)
class Sheet:
    """Rows of figures in groups that have a label.

    `label`, `name` and `figures` are the headings of the columns. Where the heading `label` is empty
    groups have no label, where `name` is empty rows have no name.
    """

    label: str
    name: str
    figures: Sequence[Text]
    groups: list[tuple[str, list[Named]]] = field(default_factory=list)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        page = options.max_width
        lines = self._lines(console, page, above=False)
        if self.label and _span(_widths(lines)) > page:
            lines = self._lines(console, page, above=True)
        yield from _drawn(lines, page)

    def _lines(self, console: Console, page: int, above: bool) -> list[_Line]:
        """The heading and all rows, with labels above them or beside them."""
        indent = GAP if above else 0
        width = max(NAME, page // 3)

        def line(label: str, name: str, figures: Sequence[Text]) -> _Line:
            folded = Text(name).wrap(console, width, overflow="fold")
            named = [Text("\n").join(Text(" " * indent) + part for part in folded)] if self.name else []
            beside = [Text(label)] if self.label and not above else []
            return _Line(label if above else "", (*beside, *named), figures)

        rows = [
            line("" if place else label, name, figures)
            for label, rows in self.groups
            for place, (name, figures) in enumerate(rows)
        ]
        return [line(self.label, self.name, self.figures), *rows]


@dataclass(frozen=True, slots=True)
class _Line:
    """A row as it is laid out: what stands above it, what at its left, and its figures."""

    above: str
    lead: Sequence[Text]
    figures: Sequence[Text]

    def cells(self, block: range) -> list[Text]:
        return [*self.lead, *(self.figures[place] for place in block)]


def _drawn(lines: Sequence[_Line], page: int) -> Iterator[Text]:
    """The text of the lines, of which the first is the heading; figures that do not fit come below."""
    heading, widths = lines[0], _widths(lines)
    lead = len(heading.lead)
    for block in _blocks(widths[lead:], page - _span(widths[:lead]) - GAP * bool(lead)):
        own = [*widths[:lead], *(widths[lead + place] for place in block)]
        yield Text()
        for line in lines:
            if line.above:
                yield Text(line.above)
            yield from _side_by_side(line.cells(block), own, lead, low=line is heading)
            if line is heading:
                yield Text("─" * _span(own), style="dim")


def _side_by_side(cells: Sequence[Text], widths: Sequence[int], lead: int, low: bool) -> Iterator[Text]:
    """The lines of one row: the first `lead` cells flush left, the others right; `low` ones end together."""
    parts = [cell.split("\n", allow_blank=True) for cell in cells]
    height = max(map(len, parts))
    columns = [[Text()] * (height - len(part)) + list(part) if low else list(part) for part in parts]
    for row in zip_longest(*columns, fillvalue=Text()):
        padded = []
        for place, (part, width) in enumerate(zip(row, widths, strict=True)):
            space = Text(" " * (width - part.cell_len))
            padded.append(part + space if place < lead else space + part)
        whole = Text(" " * GAP).join(padded)
        whole.rstrip()
        yield whole


def _blocks(widths: Sequence[int], space: int) -> Iterator[range]:
    """The columns of these widths in order, as many at a time as fit the space, at least one."""
    start = 0
    for end in range(1, len(widths) + 1):
        if end == len(widths) or _span(widths[start : end + 1]) > space:
            yield range(start, end)
            start = end


def _widths(lines: Sequence[_Line]) -> list[int]:
    columns = zip(*(line.cells(range(len(line.figures))) for line in lines), strict=True)
    return [max(part.cell_len for cell in column for part in cell.split("\n")) for column in columns]


def _span(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)
