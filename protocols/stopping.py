"""When a debate ends before its last round."""

from __future__ import annotations

from collections.abc import Callable

from protocols.transcript import Transcript

Stop = Callable[[Transcript], bool]


def consensus(transcript: Transcript) -> bool:
    """All verdicts of the latest round are readable and equal; two unreadable turns never agree."""
    return consensus_label(transcript, transcript.rounds) is not None


def never(_: Transcript) -> bool:
    """The debate goes on to its last round."""
    return False


STOPS: dict[str, Stop] = {"consensus": consensus, "never": never}


def consensus_label(transcript: Transcript, round: int) -> str | None:
    """The label that every turn of `round` carries; None where they differ or one is unreadable."""
    labels = {turn.label for turn in transcript.in_round(round)}
    return labels.pop() if len(labels) == 1 else None
