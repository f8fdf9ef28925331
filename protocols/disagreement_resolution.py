"""`disagreement_resolution`: seats that hold different answers look for the crux, and retain or adopt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.openings import opened, opposed
from protocols.position import Resolving, position
from protocols.transcript import ExitMode, Transcript

HISTORIES = ("last", "full")

Held = dict[str, str | None]
"""The label that each seat holds, by seat; None where it holds none."""


def disagreement_resolution(
    case: Case, *, turns: int = 5, history: str = "last", transcript: Transcript = Transcript()
) -> Dialogue[Transcript]:
    """Seats state positions at the same time until all hold one label, at most `turns` >= 1 times.

    Goes on from `transcript`, or from openings that are asked first. By `history`, one of `HISTORIES`, a
    seat is shown the last position of each seat, or all that was said. A turn that cannot be read, or that
    gives a label nobody held, leaves the seat's last position standing. Without a readable opening there is
    nothing to resolve.
    """
    transcript = yield from opened(case, transcript)
    resolving = Resolving(case, turns, transcript.rounds, history)
    transcript = replace(transcript, lasting=True)
    before = held = _held(case, transcript)
    for turn in range(1, turns + 1):
        if _mode(held, before) in ("consensus", None):
            break
        before = held
        step = tuple(resolving.ask(transcript, seat, turn) for seat in case.seats)
        replies = yield step
        transcript = transcript.then(step, replies, partial(position, held=before))
        held = _held(case, transcript)
    return replace(transcript, exit_mode=_mode(held, before))


def _held(case: Case, transcript: Transcript) -> Held:
    return {seat.name: transcript.final(seat.name) for seat in case.seats}


def _mode(held: Held, before: Held) -> ExitMode | None:
    """How it would end here: `swapped` when two seats have just taken each other's label."""
    labels, former = [*held.values()], [*before.values()]
    if not opposed(labels):
        return "consensus" if labels[0] is not None else None
    return "swapped" if len(labels) == 2 and labels == former[::-1] else "turn_limit"
