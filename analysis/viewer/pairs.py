"""Two cells of one run or of two, their debates paired by case and repetition, and how each pair ended."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.viewer.cells import COLUMNS, Cell
from analysis.viewer.filters import OWN
from analysis.viewer.index import Row

Pair = tuple[Row, Row]

DEBATES = f"""
select debate_id, case_id, repetition, outcome, consensus_label, final_labels, listing, rounds, changed,
    (select title from cases where cases.case_id = debates.case_id limit 1) as title,
    row_number() over (
        partition by case_id, repetition order by listing, labels, planted, debate_id
    ) as play
from debates where {OWN} and {{same}} order by case_id, repetition, play
"""
"""The debates of a cell. A cell may play a case more than once in a repetition, as with listings crossed."""

SAME = " and ".join(f'"{name}" is not distinct from ?' for name in COLUMNS)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a debate ended: what it agreed on or, in words, that it did not.

    `label` is the label as it was shown there, null where there is none; `option` what it stands for, in all
    debates of the case alike.
    """

    word: str
    label: str | None
    option: str


@dataclass(frozen=True)
class Pairs:
    """The debates of two cells: those that pair, and how many each has that do not."""

    pairs: Sequence[Pair]
    alone: tuple[int, int]

    @classmethod
    def of(cls, one: Cell, other: Cell) -> Pairs:
        """As the indices of the runs have them now."""
        sides = [_debates(cell) for cell in (one, other)]
        known = {_place(row): row for row in sides[1]}
        pairs = [(row, known[_place(row)]) for row in sides[0] if _place(row) in known]
        return cls(pairs, (len(sides[0]) - len(pairs), len(sides[1]) - len(pairs)))

    @cached_property
    def ordered(self) -> list[Pair]:
        """First those in which both agreed, on different things; then others that differ; then the rest."""
        return sorted(self.pairs, key=_rank)

    @property
    def differing(self) -> int:
        """How many ended otherwise."""
        return sum(differ(pair) for pair in self.pairs)

    @cached_property
    def table(self) -> tuple[list[str], list[str], Mapping[tuple[str, str], int]]:
        """The endings of the first, of the second, and how many pairs have each two.

        Both are in one order, the most frequent in both together first. Options of questions are another
        thing in each case, and are told by the number of the option.
        """
        counted = Counter((told(ending(one)), told(ending(other))) for one, other in self.pairs)
        sides = [Counter[str](), Counter[str]()]
        for both, number in counted.items():
            for side, name in zip(sides, both, strict=True):
                side[name] += number
        whole = sides[0] + sides[1]
        ordered = sorted(whole, key=lambda name: (-whole[name], name))
        first, second = ([name for name in ordered if name in side] for side in sides)
        return first, second, counted

    def narrowed(self, first: str, second: str) -> list[Pair]:
        """Those with these endings ("" for any), in order."""
        return [
            (one, other)
            for one, other in self.ordered
            if first in ("", told(ending(one))) and second in ("", told(ending(other)))
        ]


def ending(row: Row) -> Ending:
    """How the debate of this row ended."""
    label = row["consensus_label"]
    if row["outcome"] == "verdict":
        label = next((each for each in row["final_labels"] or () if each), None)
    return Ending(row["outcome"] or "", label, _option(label, row["listing"]))


def told(found: Ending) -> str:
    """An ending in a word: the option, or why there is none."""
    return found.option or found.word.replace("_", " ")


def differ(pair: Pair) -> bool:
    """Whether the two ended otherwise."""
    return told(ending(pair[0])) != told(ending(pair[1]))


def _option(label: str | None, listing: str | None) -> str:
    """What a label stands for: itself, or the number of an option, as letters are dealt anew."""
    if not label or not listing:
        return label or ""
    places = listing.split("-")
    place = string.ascii_uppercase.find(label)
    return f"option {places[place]}" if 0 <= place < len(places) else label


def _rank(pair: Pair) -> tuple[int, str, int]:
    labels = [ending(row).label for row in pair]
    different = differ(pair)
    kind = 2 if not different else 0 if all(labels) else 1
    return kind, pair[0]["case_id"] or "", pair[0]["repetition"] or 0


def _place(row: Row) -> tuple[str, int, int]:
    return row["case_id"], row["repetition"], row["play"]


def _debates(cell: Cell) -> list[Row]:
    given = [cell.row[name] for name in COLUMNS]
    return cell.volume.index.rows(DEBATES.format(same=SAME), given)
