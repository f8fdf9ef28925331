"""`judge`: somebody outside the panel reads a debate that has ended, and gives a verdict of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from protocols.answer_format import AnswerFormat
from protocols.case import Case, Seat
from protocols.dialogue import Ask, Dialogue, Facts, Message
from protocols.exposure import questioned, seen, told
from protocols.reading import Reading
from protocols.transcript import Question, Transcript, Turn, turn

Sees = Literal["transcript", "positions", "nothing"]
JUDGE = "judge"  # the name of the judge's seat
NEITHER = "neither"  # the answer of a judge that finds nobody right


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

    The judge is shown every turn that more than its author may hear of, the last positions of all seats,
    or nothing but the case, as where there is no such turn. Turns of one step were written at the same
    time; they are shown in the order in which `display` names their seats, where it names them, else in
    speaking order. Where seats never heard each other all that one has said comes before the next.
    """
    shown = _shown(transcript, sees, display)
    ask = Ask(
        seat=seat.name,
        model=seat.model,
        messages=(
            Message("system", seat.system),
            Message("user", _question(case, transcript, shown, sees, answer_format)),
        ),
        sampling=seat.sampling,
        answer_format=answer_format,
        kind="judge",
        round=max(1, transcript.rounds),
        prompt_hash=seat.prompt_hash,
        facts=Facts(
            case.id,
            transcript.rounds + 1,
            seen=seen(shown),
            options=case.answer_format.option_texts or (),
            called=tuple((each.name, each.label) for each in case.seats),
        ),
    )
    (reply,) = yield (ask,)
    return Judgment(transcript.rounds, turn(ask, reply).reading)


def winners(case: Case, transcript: Transcript) -> tuple[str, ...]:
    """What a judge may answer who is asked who is right: the number that a seat is called by, or neither.

    Seats that were silent cannot win.
    """
    places = enumerate(case.seats, start=1)
    return (*(str(place) for place, seat in places if seat.name not in transcript.silent), NEITHER)


def _shown(transcript: Transcript, sees: Sees, display: Sequence[str]) -> list[Turn]:
    places = {name: place for place, name in enumerate(display)}

    def displayed(turns: Iterable[Turn]) -> list[Turn]:
        return sorted(turns, key=lambda turn: places.get(turn.seat, 0))

    if sees == "nothing":
        return []
    if sees == "positions":
        lasts = {turn.seat: transcript.last(turn.seat) for step in transcript.heard for turn in step}
        return displayed(last for last in lasts.values() if last is not None)
    if transcript.apart:
        return displayed(sorted(_flat(transcript.heard), key=lambda turn: turn.position))
    return [turn for step in transcript.heard for turn in displayed(step)]


def _flat(steps: Iterable[Iterable[Turn]]) -> list[Turn]:
    return [turn for step in steps for turn in step]


def _question(
    case: Case, transcript: Transcript, shown: Sequence[Turn], sees: Sees, answer_format: AnswerFormat
) -> str:
    def worded(section: str) -> str:
        return case.prompts.worded(section, case.answer_format.field)

    own = worded("judge_turn" if shown else "turn_alone")
    asked = case.prompts.fill("winner_turn" if answer_format.field == "winner" else own)
    if not shown:
        return asked
    questions = transcript.questions if sees == "transcript" else ()
    said = debated(case, transcript, shown, questions)
    debate = case.prompts.fill(worded(f"judge_{sees}"), debate=said)
    return f"{debate}\n\n{asked}"


def debated(case: Case, transcript: Transcript, shown: Sequence[Turn], questions: Sequence[Question]) -> str:
    """What was said, as a judge reads it: the turns that are `shown`, each round followed by its question."""
    before = transcript.unheard_rounds
    if not questions:
        return told(case, shown, before)
    parts = []
    for round, turns in groupby(shown, key=lambda turn: turn.round):
        parts.append(told(case, turns, before))
        parts += [questioned(case, each, before) for each in questions if each.round == round]
    return "\n\n".join(parts)
