"""What was found in the dumps and not used, counted by reason, with the first places of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

EXAMPLES = 3  # places that are named of each reason

OTHER_SUBREDDIT = "of another subreddit"
NO_JSON = "no JSON object"
NOT_UTF8 = "bytes that are not UTF-8"
TOO_LONG = "longer than 64 MB"


@dataclass
class Tally:
    """Counts of the lines or rows of one kind of dumps.

    `lines` are all that are not blank; `left_out` those that were not used, by reason; `examples` where the
    first of each unreadable kind stand; `stopped` the files of which an end could not be read, and why.
    """

    lines: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    stopped: dict[str, str] = field(default_factory=dict)

    def unreadable(self, reason: str, place: str, found: str = "") -> None:
        """Counts a line that cannot be used as it is, and names its place while there are few."""
        self.left_out[reason] += 1
        named = self.examples.setdefault(reason, [])
        if len(named) < EXAMPLES:
            named.append(f"{place}: {found}" if found else place)
