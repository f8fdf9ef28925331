"""A frame of estimates, read the same way for every table and figure.

It has the columns of the condition that it is told by, then key columns of its own, then those of
`analysis.estimates`, of which `numerator` is the first; a difference has `p`, `p_adjusted` and `test` too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pandas as pd

from analysis.report.conditions import Conditions, Design
from analysis.tally import CONDITION

Record = dict[Hashable, Any]

SAID = {"round": {"": "never"}, "seat": {"": "all seats"}}
"""What a null or empty value of a key column means."""


def keys(frame: pd.DataFrame) -> list[str]:
    """Its key columns beside the condition, but those that are empty in all rows."""
    before = list(frame.columns[: frame.columns.get_loc("numerator")])
    own = [name for name in before if name not in CONDITION]
    return [name for name in own if any(value(name, one) for one in frame[name].unique())]


def value(name: str, found: Any) -> str:
    """A value of a key column in words."""
    said = "" if pd.isna(found) else str(found)
    if name == "round" and said:
        return f"round {said}"
    return said or SAID.get(name, {}).get("", "")


def values(frame: pd.DataFrame, name: str) -> list[str]:
    """The distinct values of a key column in words: in the order of the frame, null last."""
    found = frame[name].drop_duplicates()
    ordered = [*found[found.notna()], *found[found.isna()]]
    return list(dict.fromkeys(value(name, one) for one in ordered))


def conditions(frame: pd.DataFrame, names: Conditions) -> Iterator[tuple[str, list[str], list[Record]]]:
    """The heading and the rest of each condition's name, and its rows; in the order of conditions."""
    by = [name for name in CONDITION if name in frame]
    rows = frame.astype(dict.fromkeys(by, "object")).fillna(dict.fromkeys(by, ""))
    found: list[tuple[Design, list[Record]]] = []
    for key, own in rows.groupby(by, sort=False) if by else [((), rows)]:
        design: Design = dict(zip(by, map(str, key), strict=True))
        found.append((design, own.to_dict("records")))
    for design, records in sorted(found, key=lambda one: names.rank(one[0])):
        yield names.heading(design), names.rest(design), records


def lines(records: Sequence[Record], own: Sequence[str]) -> dict[str, list[Record]]:
    """The records that stand on one line, as they are alike in the key columns `own`, by these in words."""
    found: dict[str, list[Record]] = {}
    for record in records:
        found.setdefault(named(record, own), []).append(record)
    return found


def named(record: Record, columns: Sequence[str]) -> str:
    """The values of some key columns in words."""
    return ", ".join(filter(None, (value(name, record[name]) for name in columns)))
