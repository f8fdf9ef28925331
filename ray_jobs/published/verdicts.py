"""Verdicts of a published study, read again by moot's rules, and where that makes a difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from protocols.answer_format import PHRASES, VERDICTS
from protocols.reading import Reading, read

Source: TypeAlias = Literal["messages", "verdicts"]
"""What verdicts are read from: what was written, where that is published, or verdict strings alone."""

KINDS = {
    "misread": "a string that is none of the five verdicts, where one can be read",
    "unread": "no verdict, where one can be read",
    "another": "another verdict than the one that is read",
    "no verdict": "a verdict, where none can be read",
    "no consensus": "a final verdict, where the seats do not end with one and the same",
    "consensus": "no final verdict, where all seats end with one and the same",
    "ended early": "a debate that ended before the last round without a consensus",
    "went on": "a debate that went on after a round with a consensus",
}
"""The differences by name: what was published, and what is read."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference in a debate; `round` and `seat` are None where it is about the debate as a whole."""

    kind: str
    published: str | None
    read: str | None
    status: str | None = None
    round: int | None = None
    seat: str | None = None


def read_again(message: str | None, verdict: str | None, source: Source) -> Reading:
    """What a turn says: by its message, or by the string published as its verdict where there is none."""
    if source == "messages" and message:
        return read(message, "stop", "verdict", VERDICTS)
    stated = f"{PHRASES['verdict']}: {verdict}" if verdict else ""
    return read(stated, "stop", "verdict", VERDICTS)


def difference_in_turn(published: str | None, reading: Reading) -> str | None:
    """Which difference there is between the string published as a verdict and the verdict that is read."""
    if published == reading.label:
        return None
    if reading.label is None:
        return "no verdict"
    if not published:
        return "unread"
    return "another" if published in VERDICTS else "misread"


def difference_in_end(published: str | None, consensus: str | None) -> str | None:
    """The same of the verdict of a debate; `consensus` is what all seats end with, if they do."""
    if published == consensus:
        return None
    if consensus is None:
        return "no consensus"
    if not published:
        return "consensus"
    return "another" if published in VERDICTS else "misread"
