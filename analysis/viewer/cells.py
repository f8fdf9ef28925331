"""The cells of the runs of a viewer, by names that an address may hold."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from analysis.viewer.counts import CELL, cells
from analysis.viewer.index import Row
from analysis.viewer.shelf import Shelf, Volume

COLUMNS = tuple(column.strip('"') for column in CELL)
"""What makes a cell: the condition, and whether stances are exchanged."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a run: `key` stands for it in addresses, `name` says what tells it from other cells.

    `row` has the `COLUMNS` and what is counted of it.
    """

    volume: Volume
    key: str
    name: str
    row: Row


def all_cells(shelf: Shelf) -> list[Cell]:
    """The cells of all runs as their indexes stand, those of a run together."""
    return [cell for volume in shelf.volumes for cell in _cells(volume)]


def chosen(every: Sequence[Cell], key: str) -> Cell | None:
    """The cell of this key; None for none."""
    return next((cell for cell in every if cell.key == key), None)


def _cells(volume: Volume) -> Iterator[Cell]:
    rows = volume.index.kept("cells", lambda: cells(volume.index))
    differing = [name for name in COLUMNS if len({row[name] for row in rows}) > 1]
    for row in rows:
        yield Cell(volume, _key(volume, row), _name(row, differing), row)


def _key(volume: Volume, row: Row) -> str:
    """The run and a digest of the design, so that it stays when a run gains cells."""
    design = json.dumps([row[name] for name in COLUMNS])
    return f"{volume.key}:{blake2b(design.encode(), digest_size=4).hexdigest()}"


def _name(row: Row, differing: Sequence[str]) -> str:
    from analysis.naming import label  # which brings pandas along, that most pages do without

    told = {name: str(row[name] or "") for name in differing or COLUMNS if name != "stance_swap"}
    swapped = "stances exchanged" if row["stance_swap"] and "stance_swap" in (differing or COLUMNS) else ""
    return " · ".join(filter(None, [label(told) if told else "", swapped])) or str(row["protocol"])
