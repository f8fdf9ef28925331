"""A frame of estimates, read the same way for every table and figure.

It has the columns of the condition that it is told by, then key columns of its own, then those of
`analysis.estimates` or `analysis.contrast`, of which `numerator` is the first.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pandas as pd

from analysis.report.conditions import Conditions, Design, first, protocol, speakers, steering
from analysis.tally import CONDITION

Record = dict[Hashable, Any]

SAID = {"round": "never", "seat": "all seats", "model": "all models", "predecessor": "nobody"}
"""What a null or empty value of a key column means."""

KIND = {
    "repeated": "a judge in two passes",
    "between": "two judges",
    "human": "a person and a judge",
    "people": "two people",
}
"""Kinds of pairs of labellings in words."""

NAMING = {"position": "position", "opponents": "with", "answers": "of", "pass": "pass"}
"""What is said before a value of a key column that does not speak for itself."""

ORDER = re.compile(r"\d+(-\d+)+")


def worded(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with each two key columns that only together say anything put into one.

    The column before `against` and `against` become `difference`, "balanced less default"; `one` and `other`
    become `pair`, "claude and gpt".
    """
    found = frame
    if "against" in frame:
        columns = list(frame.columns)
        before = columns[columns.index("against") - 1]
        sides = [
            f"{_side(row[before], row)} less {_side(row['against'], row)}" for row in frame.to_dict("records")
        ]
        found = _instead(found, [before, "against"], "difference", sides)
    if {"one", "other"} <= set(frame.columns):
        pairs = [
            f"{one} and {other}" if one else "all pairs" for one, other in _columns(frame, "one", "other")
        ]
        found = _instead(found, ["one", "other"], "pair", pairs)
    return found


def keys(frame: pd.DataFrame) -> list[str]:
    """Its key columns beside the condition, but those that are empty in all rows."""
    before = list(frame.columns[: frame.columns.get_loc("numerator")])
    own = [name for name in before if name not in CONDITION]
    return [name for name in own if any(not _nothing(one) for one in frame[name].unique())]


def value(name: str, found: Any) -> str:
    """A value of a key column in words."""
    if _nothing(found):
        return SAID.get(name, "")
    if name == "kind" and found in KIND:
        return KIND[str(found)]
    return f"round {found}" if name == "round" and str(found).isdigit() else str(found)


def values(frame: pd.DataFrame, name: str) -> list[str]:
    """The distinct values of a key column in words: in the order of the frame, null last."""
    found = frame[name].drop_duplicates()
    ordered = [*found[found.notna()], *found[found.isna()]]
    return list(dict.fromkeys(value(name, one) for one in ordered))


def conditions(frame: pd.DataFrame, names: Conditions) -> Iterator[tuple[str, list[str], list[Record]]]:
    """The heading and the rest of each condition's name, and its rows; in the order of conditions."""
    by = [name for name in CONDITION if name in frame]
    rows = frame.astype(dict.fromkeys(by, "object")).fillna(dict.fromkeys(by, ""))
    found: dict[tuple[str, ...], list[Record]] = {}
    for record in rows.to_dict("records"):
        found.setdefault(tuple(str(record[name]) for name in by), []).append(record)
    told: list[tuple[Design, list[Record]]] = [
        (dict(zip(by, key, strict=True)), records) for key, records in found.items()
    ]
    for design, records in sorted(told, key=lambda one: names.rank(one[0])):
        yield names.heading(design), names.rest(design), records


def telling(records: Sequence[Record], names: Sequence[str]) -> list[str]:
    """Those of some key columns that tell these records apart, without any that those before it make vain."""
    found: list[str] = []
    apart = 1
    for name in names:
        number = len({tuple(value(one, record[one]) for one in (*found, name)) for record in records})
        if number > apart:
            found, apart = [*found, name], number
    return found


def lines(records: Sequence[Record], own: Sequence[str]) -> dict[str, list[Record]]:
    """The records that stand on one line, as they are alike in the key columns `own`, by these in words."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(named(record, own), []).append(record)
    return found


def named(record: Record, columns: Sequence[str]) -> str:
    """The values of some key columns in words."""
    said = {name: value(name, record[name]) for name in columns}
    return ", ".join(f"{NAMING.get(name, '')} {one}".strip() for name, one in said.items() if one)


WILSON, ALIKE = "†", "‡"
"""Marks of an interval that is Wilson's, and of none at all, as all cases agree."""


def ends(record: Record) -> tuple[float | None, float | None, str]:
    """The interval of an estimate, and its mark, "" for one by bootstrap.

    Where all cases agree draws of them do not differ, and would give an interval of no width: that of Wilson
    stands in for a proportion, and there is none of a difference or mean.
    """
    alike = record["low"] == record["high"] and not pd.isna(record["low"])
    if not alike:
        return record["low"], record["high"], ""
    if pd.isna(record.get("wilson_low")):
        return None, None, ALIKE
    return record["wilson_low"], record["wilson_high"], WILSON


def _nothing(found: Any) -> bool:
    return bool(pd.isna(found)) or found == ""


def _side(found: Any, row: Record) -> str:
    """One side of a difference: an order in words, steerings and panels as such, else as it is."""
    said = str(found)
    if ORDER.fullmatch(said):
        panel = str(row.get("panel") or "")
        if panel and said.count("-") > 1:
            return speakers(panel, said)
        return first(panel, said).removeprefix("order ")
    return steering(said) if "+" in said else protocol(said)


def _columns(frame: pd.DataFrame, *names: str) -> Iterator[tuple[str, ...]]:
    return zip(*(frame[name].astype("object").fillna("") for name in names), strict=True)


def _instead(frame: pd.DataFrame, columns: Sequence[str], name: str, said: Sequence[str]) -> pd.DataFrame:
    """The frame with a column in place of some."""
    place = list(frame.columns).index(columns[0])
    found = frame.drop(columns=list(columns))
    found.insert(place, name, said)
    return found
