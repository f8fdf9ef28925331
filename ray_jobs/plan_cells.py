"""The cells of a design in the table of `moot plan`: a row each, and one for all of many orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from analysis.naming import label
from ray_jobs.design import Cell
from ray_jobs.estimate import CellEstimate, Range

HEADINGS = ("protocol", "panel", "order", "steering", "answer", "labels", "parameters", "debates", "calls")

ORDERS = 6
"""The most orders of one panel that have a row each: those of three seats."""

Row = tuple[str, ...]


def cell_rows(cells: Sequence[CellEstimate]) -> Iterator[Row]:
    """The rows of the table, under `HEADINGS`, in the order of the plan."""
    for _, alike in groupby(cells, lambda each: replace(each.cell, order=())):
        orders = list(alike)
        if len(orders) > ORDERS:
            debates = sum(each.debates for each in orders)
            calls = sum((each.calls for each in orders), Range())
            yield _row(orders[0].cell, f"{len(orders)} orders", debates, calls)
        else:
            for each in orders:
                yield _row(each.cell, "-".join(map(str, each.cell.order)), each.debates, each.calls)


def _row(cell: Cell, order: str, debates: int, calls: Range) -> Row:
    labels = cell.labels if isinstance(cell.labels, str) else "-".join(map(str, cell.labels))
    told = parameters(cell.variant, cell.listing, cell.stance_swap)
    steering = "+".join(dict.fromkeys(cell.steering))
    design = (cell.protocol, "+".join(cell.panel), order, steering, cell.answer_format, labels, told)
    return *design, f"{debates:,}", str(calls)


def parameters(variant: str, listing: str, stance_swap: bool | None) -> str:
    """What tells cells of a protocol apart, in words."""
    known = [label({"variant": variant})] if variant != "{}" else []
    known += ["options reversed"] if listing == "reversed" else []
    known += ["stances exchanged"] if stance_swap else []
    return ", ".join(known)
