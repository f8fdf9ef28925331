"""Debates of an index as a wish has them: how many, a page of them, and which stand beside one."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from analysis.viewer.filters import OWN, PER_PAGE, Wish
from analysis.viewer.index import Index, Row
from analysis.viewer.search import Search

TOLD = """
list_sort(course) as course,
(select any_value(title) from cases where cases.case_id = debates.case_id) as title,
(select any_value(chr(64 + list_position(string_split(debates.listing, '-'),
    list_position(options, truth)::varchar)::integer)) from cases where cases.case_id = debates.case_id
) as right_label
"""
"""What a row has besides its columns: turns by round, title of the case, letter of the right answer."""


def hits(search: Search | None) -> dict[str, pa.Table]:
    """What a text was found in, as a table `hits` at hand to queries."""
    return {} if search is None else {"hits": search.table()}


def source(search: Search | None) -> str:
    """Where rows are from."""
    return "debates" if search is None else "debates join hits using (debate_id)"


def count(index: Index, wish: Wish, search: Search | None) -> int:
    """How many debates there are."""
    where, given = wish.where
    found = index.one(f"select count(*) as n from {source(search)} where {where}", given, **hits(search))
    return int(found["n"]) if found else 0


def page(index: Index, wish: Wish, search: Search | None) -> list[Row]:
    """The rows of one page, in order."""
    where, given = wish.where
    order = ", ".join(f"{key} {'desc' if falling else 'asc'}" for key, falling in wish.keys)
    chosen = (
        f"select debate_id from {source(search)} where {where} order by {order}"
        f" limit {PER_PAGE} offset {(wish.page - 1) * PER_PAGE}"
    )
    return index.rows(
        f"with chosen as (select debate_id, row_number() over () as nth from ({chosen}))"
        f" select debates.*, {TOLD} from chosen join debates using (debate_id) order by nth",
        given,
        **hits(search),
    )


def beside(index: Index, wish: Wish, search: Search | None, debate: str) -> tuple[str | None, str | None]:
    """The debates before and after one, in the order of the wish; none where it is not among them."""
    keys = ", ".join(f"{key} as k{place}" for place, (key, _) in enumerate(wish.keys))
    asked = f"select {keys} from {source(search)} where debate_id = ?"
    here = index.one(asked, [debate], **hits(search))
    if here is None:
        return None, None
    own = list(here.values())
    return _nearest(index, wish, search, own, True), _nearest(index, wish, search, own, False)


def _nearest(
    index: Index, wish: Wish, search: Search | None, own: Sequence[object], back: bool
) -> str | None:
    """The nearest debate on one side of the one with the keys `own`.

    It is looked for first among those that differ in the last key alone, then in the last two, and so on:
    few rows meet the condition where the neighbour stands in most orders.
    """
    where, given = wish.where
    order = ", ".join(f"{key} {'desc' if falling != back else 'asc'}" for key, falling in wish.keys)
    for place in reversed(range(len(own))):
        key, falling = wish.keys[place]
        beyond = [f"{other} = ?" for other, _ in wish.keys[:place]]
        beyond.append(f"{key} {'<' if falling != back else '>'} ?")
        found = index.one(
            f"select debate_id from {source(search)} where {where} and {' and '.join(beyond)}"
            f" order by {order} limit 1",
            [*given, *own[: place + 1]],
            **hits(search),
        )
        if found:
            return str(found["debate_id"])
    return None


def total(index: Index) -> int:
    """How many debates the run has in all."""
    found = index.one(f"select count(*) as n from debates where {OWN}")
    return int(found["n"]) if found else 0


def among(index: Index, wish: Wish, debates: Sequence[str]) -> list[Row]:
    """The rows of those of the debates that the wish lets through, in the order of `debates`."""
    where, given = wish.where
    found = pa.table({"debate_id": pa.array(debates, pa.string()), "place": range(len(debates))})
    chosen = f"select * from debates join found using (debate_id) where {where}"
    return index.rows(f"select debates.*, {TOLD} from ({chosen}) debates order by place", given, found=found)
