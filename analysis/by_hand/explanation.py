"""One explanation, as people are shown it who label it."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

Place = tuple[str, int, str]  # of a turn: its debate, round and seat


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation in one turn, `place`; `design` are the design columns of its debate."""

    text: str
    place: Place
    design: dict[str, Any]

    @property
    def id(self) -> str:
        """Its name on a sheet, see `sheet_id`."""
        return sheet_id(self.place)


def sheet_id(place: Place) -> str:
    """A name that tells nothing of the turn, and that no spreadsheet takes for a number."""
    told = "\x1f".join(map(str, place))
    return f"t{blake2b(told.encode(), digest_size=8).hexdigest()}"
