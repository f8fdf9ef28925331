"""What a page holds, before it is HTML: sections of exhibits, an exhibit being text, figures and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.report.figure import Figure
from analysis.report.table import Table


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One measure, or one table of what a run took.

    `text` says what it is, one paragraph each; `source` where its definition is from. `absent` is why
    there is nothing to see, "" where there is.
    """

    title: str
    text: Sequence[str] = ()
    source: str = ""
    absent: str = ""
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Exhibits under one heading; `name` is what links to it."""

    name: str
    title: str
    text: Sequence[str]
    exhibits: Sequence[Exhibit]


@dataclass(frozen=True, slots=True)
class Document:
    """A page: what it is, of what, what it says first and last, and its sections."""

    kind: str
    title: str
    lead: Sequence[str]
    sections: Sequence[Section]
    closing: Sequence[str]

    @property
    def exhibits(self) -> Iterator[Exhibit]:
        """The exhibits of all sections, in their order."""
        return (exhibit for section in self.sections for exhibit in section.exhibits)
