"""The values that were named in the turns of a debate, and those that a seat adopted from others.

A value is adopted as the measures of inherited values have it: at a seat's first change of verdict, if it
did not name it in round 1 and an opponent did.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.viewer.index import Row

Place = tuple[int, str]
"""A turn of a debate: its round and its seat."""


@dataclass(frozen=True, slots=True)
class ValueChip:
    """A value that a labeller found in a turn; `adopted_from` are the seats that it was taken over from."""

    value: str
    adopted_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """What one labeller found in a turn; `status` says why there is nothing where it could not be read."""

    labeller: str
    values: tuple[ValueChip, ...]
    status: str


def labelled(turns: Mapping[Place, Row], labels: Sequence[Row]) -> dict[Place, list[Labelled]]:
    """What each labeller found in each turn, with what seats took over from others."""
    named: dict[str, dict[Place, Row]] = {}
    for row in labels:
        who = f"{row['judge']}, pass {row['pass'] or 1} ({row['stage']})"
        named.setdefault(who, {})[row["source_round"], row["source_seat"]] = row
    found: dict[Place, list[Labelled]] = {}
    for who, rows in sorted(named.items()):
        events = _events(turns)
        for place in sorted(rows.keys() & turns.keys()):
            values = rows[place]["judged_labels"] or []
            chips = [
                ValueChip(value, _sources(value, place, rows) if place in events else ()) for value in values
            ]
            found.setdefault(place, []).append(Labelled(who, tuple(chips), rows[place]["status"] or ""))
    return found


def _events(turns: Mapping[Place, Row]) -> set[Place]:
    """For each seat its first readable label that is not the one of its round 1."""
    first: dict[str, str] = {}
    events: dict[str, Place] = {}
    for (number, seat), turn in sorted(turns.items(), key=lambda each: each[0]):
        label = None if turn["stance"] else turn["label"]
        if number == 1 and label:
            first[seat] = label
        elif label and seat in first and label != first[seat]:
            events.setdefault(seat, (number, seat))
    return set(events.values())


def _sources(value: str, place: Place, rows: Mapping[Place, Row]) -> tuple[str, ...]:
    """The seats that named a value in round 1 which this seat did not name there: it is inherited."""
    in_first = {seat: row["judged_labels"] or [] for (number, seat), row in rows.items() if number == 1}
    if place[1] not in in_first or value in in_first[place[1]]:
        return ()
    return tuple(sorted(seat for seat, values in in_first.items() if value in values))
