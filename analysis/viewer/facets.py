"""What may be filtered by: the values that the debates of a run have, and how many have each."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.viewer.filters import COLUMNS, LISTS, OWN
from analysis.viewer.index import Index

OFFERED = {
    "stage": "Stage",
    "protocol": "Protocol",
    "panel": "Panel",
    "model": "Model",
    "order": "Order",
    "steering": "Steering",
    "format": "Answers",
    "swap": "Stances exchanged",
    "repetition": "Repetition",
    "outcome": "Outcome",
    "standing": "Last labels",
    "exit": "Exit",
    "agreed": "Agreed on",
    "rounds": "Rounds",
    "reading": "Reading of any turn",
}
"""The filters with a choice of values, and their headings."""

MOST = 60
"""Values that are offered of each; the address takes any."""


@dataclass(frozen=True, slots=True)
class Facet:
    """One filter: its parameter, its heading, and values with the number of debates of each."""

    name: str
    heading: str
    values: list[tuple[str, int]]


def facets(index: Index) -> list[Facet]:
    """The filters that could leave anything out: those of which debates have several values."""
    return index.kept("facets", lambda: _facets(index))


def _facets(index: Index) -> list[Facet]:
    found = []
    for name, heading in OFFERED.items():
        column = f"unnest(list_distinct({COLUMNS[name]}))" if name in LISTS else COLUMNS[name]
        rows = index.rows(
            f"with each as (select {column} as value from debates where {OWN})"
            " select value, count(*) as n from each where value is not null group by value"
            " order by try_cast(value as integer), value limit ?",
            [MOST],
        )
        if len(rows) > 1 or name == "reading":
            found.append(Facet(name, heading, [(row["value"], row["n"]) for row in rows]))
    return found
