"""What exactly Eq. 2 counts: the paper leaves it open, so every choice is an option, told with results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Convention:
    """How the histories of a verdict are counted.

    - `prev_of`: whose earlier verdicts conformity to previous rounds counts, those of the `others` or of
      `all` seats. With the last round and counts, `all` only moves alpha by gamma_prev.
    - `window`: the `last` round, or all rounds before this one (`cumulative`).
    - `scale`: the `count` of verdicts, or their `share` among the readable ones counted.
    - `unreadable`: what an unreadable verdict costs, its own `row` or the whole `debate`. With `row` it adds
      nothing to later histories, and a seat whose own previous verdict is missing has no inertia.

    In round 1 nothing is counted but what was said earlier in it. A seat, not its model, is itself: in a
    debate of a model with itself the other seat is another.
    """

    prev_of: Literal["others", "all"] = "others"
    window: Literal["last", "cumulative"] = "last"
    scale: Literal["count", "share"] = "count"
    unreadable: Literal["row", "debate"] = "row"

    def __str__(self) -> str:
        of = "others" if self.prev_of == "others" else "all seats"
        rounds = "the last round" if self.window == "last" else "all earlier rounds"
        lost = "leaves out its row" if self.unreadable == "row" else "leaves out its debate"
        return f"{self.scale}s of {of} in {rounds}; an unreadable verdict {lost}"


DEFAULT = Convention()
"""Others, last round, counts."""

PAPER = Convention(window="cumulative")
"""What the published code of the paper counts: others, all earlier rounds, counts."""
