"""One debate of a published study: what was said, which values were found, and what is read otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from protocols.answer_format import render
from protocols.label import Labelled
from protocols.reading import Reading
from protocols.reading.values import FIELD, read_values
from protocols.stopping import consensus_label
from protocols.transcript import NO_REPLY, Transcript, Turn
from ray_jobs.design import Cell
from ray_jobs.published.row_lists import Published
from ray_jobs.published.verdicts import (
    Difference,
    Source,
    difference_in_end,
    difference_in_turn,
    read_again,
)


def transcript_of(debate: Published, cell: Cell, source: Source) -> Transcript:
    """The debate as moot would have it; agents are numbered as they speak."""
    steps = [
        tuple(_turn(debate, cell, round, position, source) for position in range(1, len(cell.order) + 1))
        for round in range(1, debate.rounds + 1)
    ]
    if cell.in_turn:
        steps = [(turn,) for step in steps for turn in step]
    return Transcript(tuple(steps))


def _turn(debate: Published, cell: Cell, round: int, position: int, source: Source) -> Turn:
    agent, seat = debate.agents[position - 1], cell.order[position - 1]
    text = agent.message(round)
    reading = read_again(text, agent.verdicts[round - 1], source)
    return Turn(
        round, position, f"seat{seat}", cell.panel[seat - 1], reading, text or "", _shown(text, reading)
    )


def _shown(text: str | None, reading: Reading) -> str:
    """What the others were shown: in these studies what was written, word for word."""
    if text or reading.label is None:
        return text or NO_REPLY
    return render("verdict", reading.label, reading.explanation)


def labelled(debate: Published, transcript: Transcript, names: Sequence[str]) -> list[Labelled]:
    """The values published of each turn, as far as they were, read by the list of these names."""
    return [
        Labelled(
            turn.round,
            turn.seat,
            read_values(json.dumps({FIELD: values[turn.round - 1]}), "stop", names),
        )
        for turn in transcript.turns
        if (values := debate.agents[turn.position - 1].values) and values[turn.round - 1] is not None
    ]


def differences(debate: Published, transcript: Transcript, most_rounds: int) -> Iterator[Difference]:
    """Where the published verdicts, or when the debate ended, are not as moot reads its turns."""
    for turn in transcript.turns:
        said = debate.agents[turn.position - 1].verdicts[turn.round - 1]
        if kind := difference_in_turn(said, turn.reading):
            yield Difference(kind, said, turn.label, turn.reading.status, turn.round, turn.seat)
    agreed = consensus_label(transcript, debate.rounds)
    if kind := difference_in_end(debate.final, agreed):
        yield Difference(kind, debate.final, agreed)
    first = next((at for at in range(1, debate.rounds) if consensus_label(transcript, at)), None)
    if first is not None:
        yield Difference("went on", debate.final, consensus_label(transcript, first), round=first)
    if agreed is None and debate.rounds < most_rounds:
        yield Difference("ended early", debate.final, None, round=debate.rounds)
