"""Figures of estimates that two things decide: a field for each, its number on it and its shade below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis.report.figure import LEAD, SIZE, WIDTH, Panel, headed
from analysis.report.svg import broken, tag, tooltip, words
from analysis.report.units import NONE, Unit

LABELS = 112.0
HIGH = 30.0

Fields = Mapping[tuple[str, str], tuple[float, str]]
"""The estimate of each row and column, and its interval in words."""


def matrix(
    title: str, rows: Sequence[str], columns: Sequence[str], fields: Fields, most: float, unit: Unit
) -> Panel:
    """A panel of fields; the darkest shade is that of `most`. Fields without an estimate are empty."""
    wide = (WIDTH - LABELS - 8) / len(columns)
    heads = [broken(column, wide - 4, SIZE) for column in columns]
    top = LEAD * max(map(len, heads)) + 4
    drawn = [
        words(LABELS + 8 + wide * (place + 0.5), 10 + LEAD * at, said, "soft", "middle")
        for place, lines in enumerate(heads)
        for at, said in enumerate(lines)
    ]
    for down, row in enumerate(rows):
        y = top + (HIGH + 2) * down
        lines = broken(row, LABELS, SIZE)
        first = y + HIGH / 2 + 4 - LEAD * (len(lines) - 1) / 2
        drawn += [words(0, first + LEAD * at, said) for at, said in enumerate(lines)]
        for across, column in enumerate(columns):
            x = LABELS + 8 + wide * across
            drawn.append(_field(x, y, wide - 2, fields.get((row, column)), most, unit, f"{row}, {column}"))
    return headed(title, top + (HIGH + 2) * len(rows), "".join(drawn))


def _field(
    x: float, y: float, wide: float, found: tuple[float, str] | None, most: float, unit: Unit, name: str
) -> str:
    if found is None:
        return words(x + wide / 2, y + HIGH / 2 + 4, NONE, "soft", "middle")
    value, interval = found
    share = abs(value) / most if most else 0.0
    shade = tag("rect", kind="f1", x=x, y=y, width=wide, height=HIGH, fill_opacity=0.85 * share)
    ink = "in on-dark" if share > 0.55 else "in"
    number = words(x + wide / 2, y + HIGH / 2 + 4, unit.number(value), ink, "middle")
    return tag("g", tooltip(f"{name}: {unit.number(value)} ({interval})"), shade, number)
