"""Confidence-weighted voting: a debate goes on until one verdict has a large share of all confidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from protocols.asking import also
from protocols.case import Case
from protocols.dialogue import Ask, Dialogue, Reply
from protocols.position import read_position
from protocols.reading.parts import stated_confidence
from protocols.transcript import Stated, Transcript, Turn, made
from protocols.view import ask_turn

ASKED = {
    "text": "Before all else write a line that says how sure you are: Confidence: low, medium or high",
    "json": 'Your JSON object has a further key, "confidence": "low", "medium" or "high".',
}


def weighted(
    case: Case, *, rounds: int = 4, share: float = 0.75, transcript: Transcript = Transcript()
) -> Dialogue[Transcript]:
    """All write at the same time, and say how sure they are; nobody hears of the others' confidence."""
    for round in range(transcript.rounds + 1, rounds + 1):
        turns = (ask_turn(case, transcript, place, round, rounds) for place in range(1, len(case.seats) + 1))
        step = tuple(map(_surely, turns))
        replies = yield step
        transcript = transcript.then(step, replies, _sure)
        if _largest(transcript.in_round(round)) >= share:
            break
    return transcript


def _surely(ask: Ask) -> Ask:
    form = replace(ask.answer_format, parts=("confidence",))
    return replace(also(ask, ASKED[form.name]), answer_format=form)


def _sure(ask: Ask, reply: Reply) -> Turn:
    reading, parts = read_position(ask.answer_format, reply)
    return made(ask, reply, reading, Stated(confidence=stated_confidence(parts.found.get("confidence", ""))))


def _largest(turns: tuple[Turn, ...]) -> float:
    """The largest share of one label; who says nothing of how sure it is counts as medium."""
    weights: Counter[str | None] = Counter()
    for turn in turns:
        weights[turn.label] += turn.stated.confidence or 0.5
    return max((weights[label] for label in weights if label), default=0.0) / weights.total()
