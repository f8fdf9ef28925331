"""Two cells side by side: how often they ended alike, and the debates in which they did not."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.responses import Response

from analysis.viewer.cells import Cell, all_cells, chosen
from analysis.viewer.pages import Page, Visit, number
from analysis.viewer.pairs import Pairs, differ, titles

PER_PAGE = 50


def compare(visit: Visit) -> Response:
    """The page; which cells, which endings and which page of the pairs stand in its address."""
    problems = [lost for volume in visit.shelf.volumes if (lost := volume.refreshed())]
    every, query = all_cells(visit.shelf), visit.query
    keys = {side: query.get(side, "") for side in ("a", "b")}
    sides: list[Cell | None] = [chosen(every, key) for key in keys.values()]
    problems += [
        f"{side}: found “{key}”; allowed: one of the cells below"
        for (side, key), cell in zip(keys.items(), sides, strict=True)
        if key and cell is None
    ]
    one, other = sides
    found = Pairs.of(one, other) if one and other and one.key != other.key else None
    if one and other and found is None:
        problems.append("a and b: found the same cell twice; allowed: two different ones")
    ends = query.get("ends", ""), query.get("otherwise", "")
    page = number(query.get("page", "1"))
    if page is None:
        problems.append(f"page: found “{query['page']}”; allowed: a number from 1")
        page = 1
    rows = found.narrowed(*ends) if found else []
    first = (page - 1) * PER_PAGE
    shown = rows[first : first + PER_PAGE]

    def address(**changes: str | int) -> str:
        told = {**keys, "ends": ends[0], "otherwise": ends[1], "page": ""} | changes
        return "?" + urlencode({name: value for name, value in told.items() if value != ""})

    return visit.page(
        "compare.html.j2",
        every=every,
        keys=keys,
        one=one,
        other=other,
        found=found,
        ends=ends,
        rows=shown,
        titles=titles(one, [row for row, _ in shown]) if one else {},
        matching=len(rows),
        number=page,
        last=max(1, -(-len(rows) // PER_PAGE)),
        problems=problems,
        address=address,
        differ=differ,
    )


PAGES = (Page("/compare", compare, "Compare"),)
