"""The debates of a run: filtered, searched and sorted, all by the address of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.responses import Response

from analysis.viewer import listing
from analysis.viewer.facets import facets
from analysis.viewer.filters import PER_PAGE, Wish
from analysis.viewer.index import Index, Row
from analysis.viewer.pages import Page, Visit
from analysis.viewer.search import Search


def debates(visit: Visit) -> Response:
    """A page of the table. Hits of a text that is still searched for are sent as they are found."""
    wish, index = Wish.of(visit.query), visit.here.index
    search = visit.here.searches.of(wish.text)
    if wish.needs_verdicts:
        index.hear()
    values: dict[str, Any] = {
        "wish": wish,
        "facets": facets(index),
        "total": listing.total(index),
        "per_page": PER_PAGE,
        "around": search.excerpt if search else lambda _: None,
    }
    if search is not None and search.going and wish.page == 1 and not wish.sort:
        found = Found(index, wish, search)
        return visit.stream("debates.html.j2", rows=found, count=found.count, **values)
    rows = listing.page(index, wish, search)
    return visit.page(
        "debates.html.j2", rows=rows, count=lambda: listing.count(index, wish, search), **values
    )


class Found:
    """The first page of what a search that still goes on finds."""

    def __init__(self, index: Index, wish: Wish, search: Search) -> None:
        self._index, self._wish, self._search = index, wish, search

    def __iter__(self) -> Iterator[Row]:
        """The rows, as soon as each is found."""
        left = PER_PAGE
        for batch in self._search.follow():
            for row in listing.among(self._index, self._wish, batch)[:left]:
                left -= 1
                yield row
            if not left:
                return

    def count(self) -> int:
        """How many debates there are, which is known once the search has come to its end."""
        return listing.count(self._index, self._wish, self._search)


PAGES = (Page("/{run}/debates", debates, "Debates"),)
