"""One debate to read, maybe with another beside it, and the same case in the other cells."""

from __future__ import annotations

from starlette.responses import Response

from analysis.viewer import listing
from analysis.viewer.filters import OWN, Wish
from analysis.viewer.index import Index, Row
from analysis.viewer.labels import labels_of
from analysis.viewer.pages import Page, Visit, missing
from analysis.viewer.reading import of_case, of_debate
from analysis.viewer.transcript import Transcript, transcript

REPLY = (
    *("step", "slot", "kind", "round", "position", "seat", "model", "finish_reason", "prompt_tokens"),
    *("cached_tokens", "completion_tokens", "seconds", "wait_seconds", "ask_seed", "attempts", "cost_usd"),
)
"""What of a reply stands with its turn; messages and texts are read when one asks for them."""

OTHERS = 40
"""Debates of the same case that are listed; the list of debates has them all."""


def debate(visit: Visit) -> Response:
    """The page; parameters of the list of debates come along and say what is next and previous."""
    index, wish = visit.here.index, Wish.of(visit.query)
    row = find(index, visit.parameters["debate"])
    if row is None:
        said = f"no debate that has ended is called {visit.parameters['debate']}"
        return missing(visit, f"{said}; what ended within the last minute may be missing")
    other = find(index, visit.query.get("beside", ""))
    search = visit.here.searches.of(wish.text)
    if wish.needs_verdicts:
        index.hear()
    before, after = listing.beside(index, wish, search, row["debate_id"])
    return visit.page(
        "debate.html.j2",
        told=read(index, row),
        other=read(index, other) if other else None,
        others=same_case(index, row),
        of_case=listing.count(index, Wish({"case": (row["case_id"],)}), None),
        wish=wish,
        before=before,
        after=after,
    )


def find(index: Index, debate: str) -> Row | None:
    """The row of a debate in the index; null for none, or a judgment."""
    return index.one(f"select * from debates where debate_id = ? and {OWN}", [debate]) if debate else None


def read(index: Index, row: Row) -> Transcript:
    """A debate with all that was said in it and of it."""
    own, stem = row["debate_id"], row["part"]
    case = of_case(index, row["case_id"]) or {
        "title": row["case_id"],
        "text": "",
        "options": None,
        "truth": None,
    }
    turns = of_debate(index, "turns", own, stem)
    replies = of_debate(index, "replies", own, stem, REPLY)
    inherited = origins(index, row)
    labels = labels_of(index, [own, *inherited])
    return transcript(row, case, turns, replies, labels, judgments(index, own))


def origins(index: Index, row: Row) -> list[str]:
    """The debates that one goes on from: its source, the source of that, and so on."""
    found: list[str] = []
    at: Row | None = row
    while at is not None and at["source_debate"] and at["source_debate"] not in found:
        found.append(at["source_debate"])
        at = find(index, at["source_debate"])
    return found


def judgments(index: Index, debate: str) -> list[Row]:
    """What judges decided on a debate."""
    made = index.rows(
        f"select debate_id, part from debates where source_debate = ? and not ({OWN})", [debate]
    )
    rows = [row for each in made for row in of_debate(index, "judgments", each["debate_id"], each["part"])]
    found = [row for row in rows if row["kind"] == "judge"]
    return sorted(found, key=lambda row: (row["stage"], row["judge"], row["pass"] or 1, row["debate_id"]))


def same_case(index: Index, row: Row) -> list[Row]:
    """The other debates of the case, those most alike in their design first."""
    order = 'stage <> $3, protocol <> $4, panel <> $5, stage, protocol, panel, "order", repetition, debate_id'
    alike = (
        f"select * from debates where case_id = $1 and debate_id <> $2 and {OWN}"
        f" order by {order} limit {OTHERS}"
    )
    return index.rows(
        f"select debates.*, {listing.TOLD} from ({alike}) debates order by {order}",
        [row[name] for name in ("case_id", "debate_id", "stage", "protocol", "panel")],
    )


PAGES = (Page("/{run}/debates/{debate}", debate),)
