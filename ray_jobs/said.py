"""From rows of `turns` back to what was said."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from protocols.reading import Reading
from protocols.transcript import Transcript, Turn
from ray_jobs.log import Row


def said(rows: Sequence[Row], in_turn: bool) -> Transcript:
    """The transcript of a debate, from its rows by round and position; with `in_turn` a turn is a step.

    What a seat stated beside label and explanation is not in it, nor what it thought.
    """
    turns = [_turn(row) for row in rows]
    if in_turn:
        return Transcript(tuple((turn,) for turn in turns))
    rounds = groupby(turns, key=lambda turn: turn.round)
    return Transcript(tuple(tuple(together) for _, together in rounds))


def _turn(row: Row) -> Turn:
    reading = Reading(row["status"], row["label"], row["explanation"] or "", "")
    place = (row["round"], row["position"], row["seat"], row["model"])
    return Turn(*place, reading, row["shown"], row["shown"])
