"""`disagreement_resolution`: seats that hold different answers look for the crux, and retain or adopt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from protocols.case import Case
from protocols.dialogue import Dialogue
from protocols.openings import opened, opposed
from protocols.position import Held, Resolving, position
from protocols.transcript import ExitMode, Transcript

HISTORIES = ("last", "full")


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
    transcript = replace(
        transcript, exit_mode="turn_limit"
    )  # so that its last positions are those that stand
    held = _held(case, transcript)
    mode = _mode(held, held)
    for turn in range(1, turns + 1):
        if mode in ("consensus", None):
            break
        before = held
        step = tuple(resolving.ask(transcript, before, seat, turn) for seat in case.seats)
        replies = yield step
        labels = {seat: held.label if held else None for seat, held in before.items()}
        transcript = transcript.then(step, replies, partial(position, held=labels))
        held = _held(case, transcript)
        mode = _mode(held, before)
    return replace(transcript, exit_mode=mode)


def _held(case: Case, transcript: Transcript) -> Held:
    lasts = {seat.name: transcript.last(seat.name) for seat in case.seats}
    return {name: turn if turn and turn.stands else None for name, turn in lasts.items()}


def _mode(held: Held, before: Held) -> ExitMode | None:
    """How it would end here: `swapped` when two seats have just taken each other's label."""
    labels, former = ([turn.label if turn else None for turn in each.values()] for each in (held, before))
    if not opposed(labels):
        return "consensus" if labels[0] is not None else None
    return "swapped" if len(labels) == 2 and held is not before and labels == former[::-1] else "turn_limit"
