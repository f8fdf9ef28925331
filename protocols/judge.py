"""`judge`: somebody outside the panel reads a debate that has ended, and gives a verdict of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Dialogue, Facts, Message, Seen
from protocols.reading import Reading
from protocols.transcript import Transcript, Turn, turn

Sees = Literal["transcript", "positions", "nothing"]
JUDGE = "judge"  # the name of the judge's seat


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a judge decided after `round` rounds of a debate."""

    round: int
    reading: Reading


def judge(
    case: Case,
    transcript: Transcript,
    *,
    seat: Seat,
    answer_format: AnswerFormat,
    sees: Sees = "transcript",
    display: Sequence[str] = (),
) -> Dialogue[Judgment]:
    """One ask to `seat`, which sits on no panel, about the debate of `case` that `transcript` holds.

    The judge is shown every turn, the last `positions` of all seats, or nothing but the case. Turns of
    one step were written at the same time; they are shown in the order in which `display` names their
    seats, where it names them, else in speaking order.
    """
    shown = _shown(transcript, sees, display)
    ask = Ask(
        seat=seat.name,
        model=seat.model,
        messages=(Message("system", seat.system), Message("user", _question(case, shown, sees))),
        sampling=seat.sampling,
        answer_format=answer_format,
        kind="judge",
        round=max(1, transcript.rounds),
        prompt_hash=seat.prompt_hash,
        facts=Facts(
            case_id=case.id,
            round=transcript.rounds + 1,
            seen=tuple(Seen(turn.round, turn.seat, turn.label) for turn in shown),
        ),
    )
    (reply,) = yield (ask,)
    return Judgment(transcript.rounds, turn(ask, reply).reading)


def _shown(transcript: Transcript, sees: Sees, display: Sequence[str]) -> list[Turn]:
    places = {name: place for place, name in enumerate(display)}

    def displayed(turns: Sequence[Turn]) -> list[Turn]:
        return sorted(turns, key=lambda turn: places.get(turn.seat, 0))

    if sees == "nothing":
        return []
    if sees == "positions":
        last = {turn.seat: turn for turn in transcript.turns}
        return displayed(list(last.values()))
    return [turn for step in transcript.steps for turn in displayed(step)]


def _question(case: Case, shown: Sequence[Turn], sees: Sees) -> str:
    if sees == "nothing":
        return case.prompts.fill("turn_alone")
    labels = {seat.name: seat.label for seat in case.seats}
    heard = "\n\n".join(
        case.prompts.fill("heard", label=labels[turn.seat], round=turn.round, shown=turn.shown)
        for turn in shown
    )
    debate = case.prompts.fill(f"judge_{sees}", seats=len(case.seats), debate=heard)
    return f"{debate}\n\n{case.prompts.fill('judge_turn')}"
