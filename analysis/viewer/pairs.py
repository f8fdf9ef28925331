"""Two cells of one run or of two, their debates paired by case and repetition, and how each pair ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analysis.viewer.cells import COLUMNS, Cell
from analysis.viewer.filters import OWN
from analysis.viewer.index import Row

Pair = tuple[Row, Row]

DEBATES = f"""
with own as (
    select *, case outcome
        when 'verdict' then list_filter(final_labels, lambda each: each is not null)[1] else consensus_label
    end as label
    from debates where {OWN} and {{same}}
)
select debate_id, case_id, repetition, listing, outcome, label, rounds, changed,
    coalesce(
        'option ' || string_split(listing, '-')[ascii(label) - ascii('A') + 1],
        label,
        replace(outcome, '_', ' ')
    ) as ended,
    row_number() over (
        partition by case_id, repetition order by listing, labels, planted, debate_id
    ) as play
from own order by case_id, repetition, play
"""
"""The debates of a cell: the `label` agreed on, or that of an only seat, and how each `ended` in a word.

A label of a question is told by the number of its option, as letters are dealt anew; without a label the
outcome is told. A cell may play a case more than once in a repetition, as with listings crossed.
"""

SAME = " and ".join(f'"{name}" is not distinct from ?' for name in COLUMNS)


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

        Both are in one order, the most frequent in both together first.
        """
        counted = Counter((one["ended"], other["ended"]) for one, other in self.pairs)
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
            if first in ("", one["ended"]) and second in ("", other["ended"])
        ]


def titles(cell: Cell, rows: Sequence[Row]) -> dict[str, str]:
    """The titles of the cases of these debates, by case, as far as there are any."""
    asked = "select case_id, title from cases where title is not null and list_contains(?, case_id)"
    found = cell.volume.index.rows(asked, [[row["case_id"] for row in rows]])
    return {row["case_id"]: row["title"] for row in found}


def differ(pair: Pair) -> bool:
    """Whether the two ended otherwise."""
    return bool(pair[0]["ended"] != pair[1]["ended"])


def _rank(pair: Pair) -> tuple[int, str, int]:
    both = pair[0]["label"] and pair[1]["label"]
    kind = 2 if not differ(pair) else 0 if both else 1
    return kind, pair[0]["case_id"] or "", pair[0]["repetition"] or 0


def _place(row: Row) -> tuple[str, int, int]:
    return row["case_id"], row["repetition"], row["play"]


def _debates(cell: Cell) -> list[Row]:
    given = [cell.row[name] for name in COLUMNS]
    return cell.volume.index.rows(DEBATES.format(same=SAME), given)
