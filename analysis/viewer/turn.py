"""One turn of a debate: exactly what its seat was shown, and what came back."""

from __future__ import annotations

from starlette.responses import RedirectResponse, Response

from analysis.viewer.debate import find, origins
from analysis.viewer.index import Index, Row
from analysis.viewer.pages import Page, Visit, missing, number
from analysis.viewer.reading import of_debate


def turn(visit: Visit) -> Response:
    """All replies of a turn, or of a judgment: a piece of the page of the debate, or a page of its own."""
    index, asked = visit.here.index, visit.parameters
    row = index.one("select * from debates where debate_id = ?", [asked["debate"]])
    if row is None:
        return missing(visit, f"no debate or judgment that has ended is called {asked['debate']}")
    round = number(asked["round"], least=0)
    if round is None:
        return missing(visit, f"there is no round {asked['round']}")
    found = replies(index, row, round, asked["seat"])
    if not found and (source := spoken_in(index, row, round, asked["seat"])):
        piece = "?piece=1" if visit.piece else ""
        address = f"/{visit.here.key}/debates/{source}/turns/{round}/{asked['seat']}{piece}"
        return RedirectResponse(address, 303)
    return visit.page("turn.html.j2", debate=row, replies=found)


def replies(index: Index, row: Row, round: int, seat: str) -> list[Row]:
    """The replies of a seat in a round, with messages and texts."""
    rows = of_debate(index, "replies", row["debate_id"], row["part"])
    own = [each for each in rows if (each["round"] or 0) == round and each["seat"] == seat]
    return sorted(own, key=lambda each: (each["step"] or 0, each["slot"] or 0))


def spoken_in(index: Index, row: Row, round: int, seat: str) -> str | None:
    """The debate in which a turn was said that this one opens with."""
    for source in origins(index, row):
        debate = find(index, source)
        if debate is not None and replies(index, debate, round, seat):
            return source
    return None


PAGES = (Page("/{run}/debates/{debate}/turns/{round}/{seat}", turn),)
